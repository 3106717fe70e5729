import GRDB
import StorageSQLite

/// What a full-text index has to know of the table it reads.
struct FullTextSource {
    /// `table`, `view`, `virtual` or `shadow`.
    let kind: String
    let columns: [ColumnSchema]
    let isStrict: Bool
    /// The collation of the index that keeps the primary key unique; nil where the rowid is the key.
    let keyCollation: String?

    /// What there is of that name, or nil.
    static func find(_ table: String, on db: Database) throws -> FullTextSource? {
        guard let kind = try db.kind(ofTable: table) else { return nil }
        return FullTextSource(
            kind: kind,
            columns: try db.tableSchema(named: table)?.columns ?? [],
            isStrict: try db.isStrict(table),
            keyCollation: try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT part.coll
                        FROM pragma_index_list(?, 'main') AS list, pragma_index_xinfo(list.name, 'main') AS part
                        WHERE list.origin = 'pk' AND part.key = 1
                        """),
                arguments: [table]))
    }

    var keyColumns: [ColumnSchema] { columns.filter(\.primaryKey) }

    /// Nil if this is no table, or its primary key is not one column.
    var key: FullTextKey? {
        guard kind == "table", keyColumns.count == 1, let column = keyColumns.first else { return nil }
        // Only a key that is the rowid needs no index to be unique.
        guard let keyCollation else { return .number(column: column.name) }
        return .mapped(
            column: column.name, affinity: column.affinity(isStrict: isStrict).rawValue, collation: keyCollation)
    }
}
