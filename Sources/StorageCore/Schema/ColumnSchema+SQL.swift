extension ColumnSchema {
    /// The column as a table's SQL declares it: `"age" INTEGER NOT NULL DEFAULT 0`.
    package var sql: String { sql(notNull && !primaryKey ? " NOT NULL" : "") }

    /// The same with another constraint between its type and its default.
    func sql(_ constraint: String) -> String {
        "\(name.quotedIdentifier) \(type)\(constraint)" + (defaultValue.map { " DEFAULT \($0)" } ?? "")
    }
}

extension [String] {
    /// Each name between single quotes, as a message lists them.
    package var quoted: String { map { "'\($0)'" }.joined(separator: ", ") }
}
