/// A word, a quoted text or a sign of an SQL text. Spaces and comments are none.
package struct SQLToken {
    package enum Kind { case word, quoted, sign }

    package let kind: Kind
    /// The word or sign as it stands, and what is between the quotes.
    package let text: String
    /// Where it stands, in bytes.
    package let range: Range<Int>

    /// Whether it is that keyword. A name between quotes is none.
    package func isKeyword(_ keyword: String) -> Bool { kind == .word && text.asciiLowercased == keyword }

    package func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

    /// Whether it is a text, and not a name between quotes.
    ///
    /// - Parameter bytes: The SQL that it is of.
    package func isText(in bytes: [UInt8]) -> Bool { bytes[range.lowerBound] == UInt8(ascii: "'") }

    /// Whether a clause of a column begins with it, or a constraint of a table.
    package var beginsClause: Bool {
        [
            "constraint", "primary", "not", "null", "unique", "check", "default", "collate", "references", "foreign",
            "generated", "as",
        ].contains { isKeyword($0) }
    }
}

extension [SQLToken] {
    /// The tokens of an SQL text in UTF-8; nil if a quote does not end.
    package init?(of bytes: [UInt8]) {
        self = []
        var place = 0
        while place < bytes.count {
            guard let end = SQLToken.end(at: place, of: bytes) else { return nil }
            if let token = SQLToken(place..<end, of: bytes) { append(token) }
            place = end
        }
    }

    /// How many parentheses are open at each token. One that opens or ends is outside of what it encloses.
    package var depths: [Int] {
        var depth = 0
        return map { token in
            if token.isSign(")") { depth -= 1 }
            defer { if token.isSign("(") { depth += 1 } }
            return depth
        }
    }

    /// What an option of a `CREATE VIRTUAL TABLE` is set to, as `content = 'docs'`.
    package func value(ofOption name: String) -> SQLToken? {
        let place = indices.dropLast(2).first { self[$0].isKeyword(name) && self[$0 + 1].isSign("=") }
        return place.map { self[$0 + 2] }
    }

    /// Whether the full-text table of a `CREATE VIRTUAL TABLE` takes its texts from elsewhere, or has none, and so no table for them.
    /// Those without texts may keep some columns since SQLite 3.47.
    package var keepsNoTexts: Bool {
        value(ofOption: "content") != nil && value(ofOption: "contentless_unindexed") == nil
    }

    /// What stands between the commas of a `CREATE TABLE`: the columns, and the constraints of the table. SQLite keeps the text in this
    /// one form, whatever was written; nil if it is not understood, as for a virtual table.
    package var tableDefinitions: [[SQLToken]]? {
        guard count > 3, self[0].isKeyword("create"), self[1].isKeyword("table"), self[3].isSign("(") else {
            return nil
        }
        var definitions: [[SQLToken]] = [[]]
        for (token, depth) in zip(self, depths).dropFirst(4) {
            if depth == 0 { return definitions }
            if depth == 1, token.isSign(",") {
                definitions.append([])
            } else {
                definitions[definitions.count - 1].append(token)
            }
        }
        return nil
    }
}

extension SQLToken {
    /// Nil for spaces and comments.
    fileprivate init?(_ range: Range<Int>, of bytes: [UInt8]) {
        let text = String(decoding: bytes[range], as: UTF8.self)
        let first = bytes[range.lowerBound]
        if let end = SQLToken.closingQuote(of: first) {
            // A closing quote within is written twice; in brackets there can be none.
            let mark = String(decoding: [end], as: UTF8.self)
            let inner = String(decoding: bytes[range].dropFirst().dropLast(), as: UTF8.self)
            self.init(kind: .quoted, text: inner.replacingOccurrences(of: mark + mark, with: mark), range: range)
        } else if SQLToken.isInWord(first) {
            self.init(kind: .word, text: text, range: range)
        } else if SQLToken.isSpace(first) || text.hasPrefix("--") || text.hasPrefix("/*") {
            return nil
        } else {
            self.init(kind: .sign, text: text, range: range)
        }
    }

    /// Where the token, space or comment that begins at a place ends.
    fileprivate static func end(at place: Int, of bytes: [UInt8]) -> Int? {
        let first = bytes[place]
        let rest = bytes[place...]
        if let quote = closingQuote(of: first) { return endOfQuoted(quote, at: place, of: bytes) }
        if isInWord(first) { return rest.firstIndex { !isInWord($0) } ?? bytes.count }
        if rest.starts(with: "--".utf8) { return rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }
        if rest.starts(with: "/*".utf8) { return endOfComment(at: place, of: bytes) }
        return place + 1
    }

    private static func endOfQuoted(_ quote: UInt8, at start: Int, of bytes: [UInt8]) -> Int? {
        var place = start + 1
        while let found = bytes[place...].firstIndex(of: quote) {
            let isDoubled = quote != UInt8(ascii: "]") && found + 1 < bytes.count && bytes[found + 1] == quote
            guard isDoubled else { return found + 1 }
            place = found + 2
        }
        return nil
    }

    /// SQLite lets a comment end with the text.
    private static func endOfComment(at start: Int, of bytes: [UInt8]) -> Int {
        var place = start + 2
        while place + 1 < bytes.count {
            if bytes[place...].starts(with: "*/".utf8) { return place + 2 }
            place += 1
        }
        return bytes.count
    }

    private static func closingQuote(of first: UInt8) -> UInt8? {
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): first
        case UInt8(ascii: "["): UInt8(ascii: "]")
        default: nil
        }
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
