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
        append("\(CaseFolding.functionName)(\(column))", needle.caseFolded, to: &query)
    }

    private func append(_ text: String, _ needle: String, to query: inout LoweredQuery) {
        switch self {
        case .contains:
            query.sql += "instr(\(text), ?) > 0"
            query.arguments.append(.text(needle))
        case .hasPrefix:
            query.sql += "\(text) >= ?"
            query.arguments.append(.text(needle))
            if let end = needle.firstTextAfterPrefix {
                query.sql += " AND \(text) < ?"
                query.arguments.append(.text(end))
            }
        case .hasSuffix:
            // Compared as bytes, since SQLite's length of a text ends at its first NUL.
            query.sql += "substr(CAST(\(text) AS BLOB), ?) = ?"
            query.arguments.append(.integer(Int64(-needle.utf8.count)))
            query.arguments.append(.blob(Data(needle.utf8)))
        case .equals:
            query.sql += "\(text) = ?"
            query.arguments.append(.text(needle))
        }
    }
}

extension String {
    /// The least text that sorts after every text with this prefix, or nil if there is none.
    ///
    /// SQLite compares text as UTF-8 bytes, which is the order of scalars: the last scalar that has a
    /// successor is replaced by it.
    fileprivate var firstTextAfterPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let successor = Unicode.Scalar(next) {
                scalars.append(successor)
                var result = String.UnicodeScalarView()
                result.append(contentsOf: scalars)
                return String(result)
            }
        }
        return nil
    }
}
