import StorageSQLite

extension SQLPrinter {
    /// Writes the condition that a text matches another.
    ///
    /// LIKE is not used: `%` and `_` would be wildcards, and it ignores the case of ASCII letters alone.
    mutating func append(
        _ match: TextMatch, _ text: ExpressionNode, _ needle: ExpressionNode, ignoringCase: Bool
    ) throws {
        if case .constant(.text(""), _) = needle, match != .equals {
            try append(operand: text)
            append(" IS NOT NULL")
            return
        }
        guard match == .hasSuffix, !needle.isConstant else {
            return try append(ofLetters: match, text, needle, ignoringCase: ignoringCase)
        }
        // Of an empty text SQLite's part is NULL.
        append("CASE ")
        try append(operand: needle)
        append(" WHEN '' THEN ")
        try append(operand: text)
        append(" IS NOT NULL ELSE ")
        try append(ofLetters: match, text, needle, ignoringCase: ignoringCase)
        append(" END")
    }

    /// The same for a needle that is not empty, or need not be told from others.
    private mutating func append(
        ofLetters match: TextMatch, _ text: ExpressionNode, _ needle: ExpressionNode, ignoringCase: Bool
    ) throws {
        guard ignoringCase else {
            return try append(match, piece { try $0.append(operand: text) }, piece { try $0.append(operand: needle) })
        }
        let text = try piece { try $0.append(folded: text) }
        let needle = try piece { try $0.append(folded: needle) }
        guard match == .hasPrefix else { return try append(match, text, needle) }
        // There is no index to serve a range, which would fold each text twice.
        append("instr(", text, ", ", needle)
        append(") = 1")
    }

    private mutating func append(folded node: ExpressionNode) throws {
        if case .constant(.text(let text), _) = node { return append(value: .text(text.caseFolded)) }
        query.needsFunctions = true
        append("\(FunctionName.caseFolding)(")
        try append(value: node)
        append(")")
    }

    private mutating func append(_ match: TextMatch, _ text: LoweredQuery, _ needle: LoweredQuery) throws {
        switch match {
        case .contains:
            append("instr(", text, ", ", needle)
            append(") > 0")
        case .hasPrefix:
            // All texts that begin so, in the order of bytes: the two behind the needle are in no text of UTF-8, and in
            // UTF-16 a letter that SQLite never writes. The column's own collation may ignore case.
            append("", text, " COLLATE BINARY >= ", needle)
            append(" AND ", text, " COLLATE BINARY < ", needle)
            append(" || x'FFFF'")
        case .hasSuffix:
            // As bytes, since SQLite's length of a text ends at its first NUL; the needle's are those that it has in the
            // encoding of the file.
            append("substr(CAST(", text, " AS BLOB), -length(CAST(", needle)
            append(" AS BLOB))) = CAST(")
            query.append(needle)
            append(" AS BLOB)")
        case .equals:
            append("", text, " = ", needle)
        }
    }

    private mutating func append(
        _ before: String, _ first: LoweredQuery, _ between: String, _ second: LoweredQuery
    ) {
        append(before)
        query.append(first)
        append(between)
        query.append(second)
    }
}
