extension ColumnSchema {
    /// The column as a table's SQL declares it: `"age" INTEGER NOT NULL DEFAULT 0`.
    package var sql: String {
        var sql = "\(name.quotedIdentifier) \(type)"
        if notNull, !primaryKey { sql += " NOT NULL" }
        if let defaultValue { sql += " DEFAULT \(defaultValue)" }
        return sql
    }
}

extension String {
    /// The name between double quotes, as SQL writes an identifier.
    package var quotedIdentifier: String {
        "\"" + replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    /// The name with the capitals of ASCII as small letters: what SQLite compares names by.
    package var asciiLowercased: String {
        String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    /// The text between single quotes, as SQL writes a literal.
    package var quotedLiteral: String {
        "'" + replacingOccurrences(of: "'", with: "''") + "'"
    }
}
