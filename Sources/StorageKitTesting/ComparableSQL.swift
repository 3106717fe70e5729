import StorageKit

extension String {
    /// SQL of a schema in the words by which it is compared: without comments, and with the same blanks everywhere.
    var comparableSQL: String {
        let bytes = Array(utf8)
        return [SQLToken](of: bytes)?.sql(in: bytes) ?? onOneLine
    }

    /// The default of a column in the words by which it is compared. A name between quotes is a text there: `"x"` is
    /// `'x'`. A bare word stays as it is.
    var comparableDefault: String {
        guard let tokens = [SQLToken](of: Array(utf8)), tokens.count == 1, tokens[0].kind == .quoted else {
            return comparableSQL
        }
        return tokens[0].text.quotedLiteral
    }
}

extension Collection<SQLToken> {
    /// The tokens as SQL. Names stand without their quotes, which SQLite puts about those that it renames.
    ///
    /// - Parameter bytes: The text that they are of.
    func sql(in bytes: [UInt8]) -> String {
        var sql = ""
        var last: SQLToken?
        for token in self {
            if let last, token.standsApart(from: last) { sql += " " }
            sql += token.isText(in: bytes) ? token.text.quotedLiteral : token.text
            last = token
        }
        return sql
    }
}

extension SQLToken {
    fileprivate func standsApart(from last: SQLToken) -> Bool {
        if kind == .sign, last.kind == .sign { return false }
        return ![")", ",", ".", ";"].contains(where: isSign) && !["(", "."].contains(where: last.isSign)
    }
}
