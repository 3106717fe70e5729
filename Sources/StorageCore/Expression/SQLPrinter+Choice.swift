// SQLite compares a value by the collation of any part of its expression: a text that a comparison of decimals chooses would be
// compared like a decimal. One that stands behind the whole is the one that counts.

extension SQLPrinter {
    /// Writes a case.
    mutating func append(_ choices: [Choice], otherwise: ExpressionNode) throws {
        var conditionsCollate = false
        var valuesCollate = false
        append("CASE")
        for choice in choices {
            append(" WHEN ")
            if try appendCollating({ try $0.append(condition: choice.condition) }) { conditionsCollate = true }
            append(" THEN ")
            if try appendCollating({ try $0.append(value: choice.value) }) { valuesCollate = true }
        }
        append(" ELSE ")
        if try appendCollating({ try $0.append(value: otherwise) }) { valuesCollate = true }
        append(" END")
        if conditionsCollate, !valuesCollate { append(SQLPrinter.plainCollation) }
    }

    /// Writes something.
    ///
    /// - Returns: Whether there is a collation in it.
    mutating func appendCollating(_ write: (inout SQLPrinter) throws -> Void) throws -> Bool {
        let piece = try piece(write)
        query.append(piece)
        return piece.sql.contains(" COLLATE ")
    }

    /// How SQLite compares texts that say nothing of it.
    static let plainCollation = " COLLATE BINARY"
}
