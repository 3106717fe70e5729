import StorageSQLite

/// A schema as SQL.
enum SchemaText {
    /// All statements that make it, in an order that works. The tables behind a virtual one come with it.
    static func statements(_ catalog: Catalog) -> [String] {
        let shadows = Set(catalog.tables.filter { $0.kind == .shadow }.map(\.name.nameKey))
        return catalog.parts.filter { part in
            !shadows.contains(part.table.nameKey) && !part.name.folded.hasPrefix("sqlite_")
        }.map { ended($0.sql) }
    }

    /// The statement with its semicolon. SQLite keeps a comment that stands at the end, which the semicolon must not be in.
    private static func ended(_ sql: String) -> String {
        let ends = [";", "\n;", "*/;"]
        return sql + (ends.first { Connection.isComplete(sql + $0) } ?? ";")
    }
}
