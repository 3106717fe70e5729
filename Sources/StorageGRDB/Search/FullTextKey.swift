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

    /// The `FROM` clause of a search: each document of the index beside its row, under their own names.
    /// `WHERE "articles_fts" MATCH ?` goes after it.
    func hits(of index: FullTextIndex) -> String {
        let documents = index.name.quotedIdentifier
        let rows = index.table.quotedIdentifier
        switch self {
        case .number(let column):
            return "\(documents) JOIN \(rows) ON \(rows).\(column.quotedIdentifier) = \(documents).rowid"
        case .mapped:
            let ids = index.idsName.quotedIdentifier
            return """
                \(documents) JOIN \(ids) ON \(ids).docid = \(documents).rowid \
                JOIN \(rows) ON \(equal(rows, ids))
                """
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
