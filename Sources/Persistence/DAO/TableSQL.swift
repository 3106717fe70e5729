/// The SQL of a DAO. Names are quoted; values are parameters.
struct TableSQL: Sendable {
    private let table: String
    private let key: String

    init(table: String, primaryKey: String) {
        self.table = table.quotedIdentifier
        key = primaryKey.quotedIdentifier
    }

    var select: String { "SELECT * FROM \(table) WHERE \(key) = ?" }

    /// The row that was inserted last, of a table that has rowids.
    var selectLast: String { "SELECT * FROM \(table) WHERE _rowid_ = last_insert_rowid()" }

    var list: String { "SELECT * FROM \(table) ORDER BY \(key)" }

    var delete: String { "DELETE FROM \(table) WHERE \(key) = ?" }

    /// Returns the key.
    func insert(_ columns: [String]) -> String {
        let values =
            columns.isEmpty
            ? "DEFAULT VALUES"
            : "(\(columns.map(\.quotedIdentifier).joined(separator: ", "))) "
                + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
        return "INSERT INTO \(table) \(values) RETURNING \(key)"
    }

    /// Takes the key once more, last.
    func update(_ columns: [String]) -> String {
        "UPDATE \(table) SET \(columns.map { "\($0.quotedIdentifier) = ?" }.joined(separator: ", ")) WHERE \(key) = ?"
    }
}
