extension TextMatch {
    /// Writes the condition that a column matches.
    ///
    /// LIKE is not used: `%` and `_` would be wildcards, and it ignores the case of ASCII letters alone.
    func append(column: String, needle: String, ignoringCase: Bool, to query: inout LoweredQuery) {
        guard !needle.isEmpty || self == .equals else {
            query.sql += "\(column) IS NOT NULL"
            return
        }
        guard ignoringCase else { return append(column, needle, to: &query) }
        query.needs.insert(.caseFolding)
        let folded = "\(CaseFolding.functionName)(\(column))"
        if self == .hasPrefix {
            // There is no index to serve a range, which would fold each text twice.
            query.sql += "instr(\(folded), ?) = 1"
            query.arguments.append(.text(needle.caseFolded))
        } else {
            append(folded, needle.caseFolded, to: &query)
        }
    }

    private func append(_ text: String, _ needle: String, to query: inout LoweredQuery) {
        let needle = StoredValue.text(needle)
        switch self {
        case .contains:
            query.sql += "instr(\(text), ?) > 0"
            query.arguments.append(needle)
        case .hasPrefix:
            // All texts that begin so, in the order of bytes: the two behind the needle are in no text of UTF-8, and in
            // UTF-16 a letter that SQLite never writes. The column's own collation may ignore case.
            query.sql += "\(text) COLLATE BINARY >= ? AND \(text) COLLATE BINARY < ? || x'FFFF'"
            query.arguments += [needle, needle]
        case .hasSuffix:
            // As bytes, since SQLite's length of a text ends at its first NUL; the needle's are those that it has in the
            // encoding of the file.
            query.sql += "substr(CAST(\(text) AS BLOB), -length(CAST(? AS BLOB))) = CAST(? AS BLOB)"
            query.arguments += [needle, needle]
        case .equals:
            query.sql += "\(text) = ?"
            query.arguments.append(needle)
        }
    }
}
