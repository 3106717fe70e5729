extension ColumnSchema {
    /// The column as a table's SQL declares it: `"age" INTEGER NOT NULL DEFAULT 0`.
    package var sql: String { sql(notNull && !primaryKey ? " NOT NULL" : "") }

    /// The same with another constraint between its type and its default.
    func sql(_ constraint: String) -> String {
        "\(name.quotedIdentifier) \(type)\(constraint)" + (defaultValue.map { " DEFAULT \($0)" } ?? "")
    }
}

extension String {
    /// The name between double quotes, as SQL writes an identifier.
    package var quotedIdentifier: String { quoted(between: "\"") }

    /// The name with the capitals of ASCII as small letters. Names are compared by ``isSameName(as:)``, and kept in sets as
    /// ``SQLName``.
    package var asciiLowercased: String { String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) }

    /// Whether both are one name to SQLite.
    package func isSameName(as other: String) -> Bool { SQLName(self) == SQLName(other) }

    /// The text between single quotes, as SQL writes a literal.
    package var quotedLiteral: String { quoted(between: "'") }

    /// By scalars: a quotation mark with a combining accent is one letter to Swift, and two to SQLite.
    private func quoted(between mark: Unicode.Scalar) -> String {
        var quoted = String.UnicodeScalarView([mark])
        for scalar in unicodeScalars {
            if scalar == mark { quoted.append(mark) }
            quoted.append(scalar)
        }
        quoted.append(mark)
        return String(quoted)
    }
}

extension [String] {
    /// Each name between single quotes, as a message lists them.
    package var quoted: String { map { "'\($0)'" }.joined(separator: ", ") }
}
