/// A reference of a table, with the columns that it means where its SQL names none.
struct PlannedReference {
    let columns: [String]
    let parent: String
    let parentColumns: [String]
    /// What happens to the rows, as SQL says it: ` ON DELETE CASCADE`.
    private let actions: String

    /// - Parameters:
    ///   - key: The reference as the file has it.
    ///   - table: Its table.
    ///   - catalog: Where the table that it refers to may be.
    init(_ key: Table.ForeignKey, of table: Table, in catalog: Catalog) {
        columns = key.columns
        parent = key.parent
        parentColumns = table.parentColumns(key, in: catalog.table(key.parent))
        let actions = [("DELETE", key.onDelete), ("UPDATE", key.onUpdate)].filter { $0.1 != "NO ACTION" }
        self.actions = actions.map { " ON \($0) \($1)" }.joined()
    }

    /// The reference in words.
    var text: String {
        let parents = parentColumns.isEmpty ? "" : " (\(PlannedReference.list(parentColumns)))"
        return "\(PlannedReference.list(columns)) to \(parent.quotedName)\(parents)\(actions)"
    }

    /// Whether both say the same. Names are compared as SQLite does.
    func isSame(as other: PlannedReference) -> Bool { text.nameKey == other.text.nameKey }

    /// Whether both are of the same columns.
    func isOfSameColumns(as other: PlannedReference) -> Bool { columns.map(\.nameKey) == other.columns.map(\.nameKey) }

    /// The clause as a store writes it into the SQL of a column.
    var sql: String { "REFERENCES \(parent.quotedName)(\(PlannedReference.list(parentColumns)))\(actions)" }

    private static func list(_ names: [String]) -> String { names.map(\.quotedName).joined(separator: ", ") }
}

extension [PlannedReference] {
    /// Those that another table has not, in order.
    func without(_ others: [PlannedReference]) -> [PlannedReference] {
        filter { reference in !others.contains { $0.isSame(as: reference) } }.sorted { $0.text < $1.text }
    }
}
