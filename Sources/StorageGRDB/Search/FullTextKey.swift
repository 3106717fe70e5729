/// What ties the documents of a full-text index to the rows of its table.
///
/// FTS5 knows a document by a number. The rowid of a row is no such number: `VACUUM` may give rows new ones,
/// unless the rowid is the primary key itself.
enum FullTextKey: Sendable, Equatable {
    /// The document has the number of the row, whose key is an `INTEGER PRIMARY KEY`.
    case number(column: String)
    /// A table beside the index gives each key a number. It holds keys as the table of the rows does, of the same
    /// affinity and collation, so that both agree on which keys are equal.
    case mapped(column: String, affinity: String, collation: String)

    var column: String {
        switch self {
        case .number(let column), .mapped(let column, _, _): column
        }
    }

    /// The SELECT of that list. A document may be on it whose row is gone.
    ///
    /// - Parameter idColumn: What the rows are known by in Swift, which need not be the primary key.
    func listSQL(ofTable table: String, idColumn: String) -> String {
        let rows = table.quotedIdentifier
        let ids = FullTextIndex.idsName(ofTable: table).quotedIdentifier
        switch self {
        case .number(let column):
            return "SELECT \(column.quotedIdentifier), \(idColumn.quotedIdentifier) FROM \(rows)"
        case .mapped(let column, _, _) where column.isSameName(as: idColumn):
            return "SELECT docid, id FROM \(ids)"
        case .mapped:
            return "SELECT \(ids).docid, \(rows).\(idColumn.quotedIdentifier) "
                + "FROM \(ids) JOIN \(rows) ON \(equal(rows, ids))"
        }
    }

    /// The condition that a row and an entry of the map have one key, under the collation of the key even where
    /// the column has another.
    func equal(_ rows: String, _ ids: String) -> String {
        "\(qualified(rows)) = \(ids).id"
    }

    /// The key column of a table of rows.
    func qualified(_ rows: String) -> String {
        let name = "\(rows).\(column.quotedIdentifier)"
        guard case .mapped(_, _, let collation) = self else { return name }
        return "\(name) COLLATE \(collation.quotedIdentifier)"
    }
}
