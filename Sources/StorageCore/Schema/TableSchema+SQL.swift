extension TableSchema {
    /// The statement that creates the table, without its indexes.
    ///
    /// ```sql
    /// CREATE TABLE "reminders" ("id" TEXT PRIMARY KEY, "listId" TEXT NOT NULL REFERENCES "lists"("id"))
    /// ```
    package var sql: String {
        let keys = columns.filter(\.primaryKey)
        var lines = columns.map { definition(of: $0, isOnlyKey: keys.count == 1) }
        if keys.count > 1 { lines.append(TableSchema.keyClause(of: keys.map(\.name))) }
        return "CREATE TABLE \(name.quotedIdentifier) (\(lines.joined(separator: ", ")))"
    }

    private func definition(of column: ColumnSchema, isOnlyKey: Bool) -> String {
        let constraint = column.primaryKey && isOnlyKey ? " \(keyClause)" : column.notNull ? " NOT NULL" : ""
        return column.sql(constraint) + references(from: column.name).map { " \($0.sql)" }.joined()
    }

    /// What makes a column the key: `PRIMARY KEY`.
    package var keyClause: String { givesIds ? "PRIMARY KEY AUTOINCREMENT" : "PRIMARY KEY" }

    /// The clause for a key of several columns.
    package static func keyClause(of columns: [String]) -> String {
        "PRIMARY KEY (\(columns.map(\.quotedIdentifier).joined(separator: ", ")))"
    }

    /// The references of a column.
    package func references(from column: String) -> [ReferenceSchema] {
        references.filter { $0.column.isSameName(as: column) }
    }

    /// Whether it has a column of that name.
    package func has(_ column: String) -> Bool { columns.contains { $0.name.isSameName(as: column) } }

    /// The names of the key's columns.
    package var keyColumns: [String] { columns.filter(\.primaryKey).map(\.name) }
}
