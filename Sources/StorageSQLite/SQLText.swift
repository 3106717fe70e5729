/// A text of SQL, and how far its statements are prepared. What follows can be looked at without compiling it, which alone
/// carries out many a pragma.
package struct SQLText {
    let bytes: [UInt8]
    var start = 0

    /// - Throws: ``SQLiteFailure`` for a text with a NUL, to which SQLite would read and no further.
    package init(_ sql: String) throws(SQLiteFailure) {
        bytes = Array(sql.utf8) + [0]
        guard bytes.firstIndex(of: 0) == bytes.count - 1 else {
            throw SQLiteFailure(.error, "the SQL contains a NUL", sql: sql)
        }
    }

    /// Whether no statement follows, only blanks, comments and semicolons.
    package var isAtEnd: Bool { bytes[behindBlanks(start)] == 0 }

    /// Whether a `PRAGMA` follows, or an `EXPLAIN` of one. Says so of some texts that are no SQL, too.
    package var isAtPragma: Bool {
        var place = behindBlanks(start)
        for word in ["explain", "query", "plan"] {
            if let end = end(of: word, place) { place = behindBlanks(end) }
        }
        return end(of: "pragma", place) != nil
    }

    /// Whether a statement follows that inserts, updates or deletes rows. Says so of every `WITH`, which may only select.
    package var isAtRowChange: Bool {
        let place = behindBlanks(start)
        return ["insert", "replace", "update", "delete", "with"].contains { end(of: $0, place) != nil }
    }

    /// What follows, blanks and all.
    var rest: String { String(decoding: bytes[start...].dropLast(), as: UTF8.self) }

    /// Behind blanks, comments and semicolons, as SQLite's tokenizer takes them.
    private func behindBlanks(_ start: Int) -> Int {
        var place = start
        while true {
            let next = bytes[place] == 0 ? 0 : bytes[place + 1]
            switch bytes[place] {
            case UInt8(ascii: ";"): place += 1
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
                place += 1
                // To SQLite, a vertical tab is a blank only behind another.
                while bytes[place] == 0x0B { place += 1 }
            case UInt8(ascii: "-") where next == UInt8(ascii: "-"):
                while bytes[place] != 0, bytes[place] != UInt8(ascii: "\n") { place += 1 }
            // At the very end of a text, the sign that begins a comment is none.
            case UInt8(ascii: "/") where next == UInt8(ascii: "*") && bytes[place + 2] != 0:
                place = behindComment(place + 2)
            // The mark of UTF-8 that some editors write first.
            case 0xEF where next == 0xBB && bytes[place + 2] == 0xBF: place += 3
            default: return place
            }
        }
    }

    /// Behind a comment, which the end of the text ends too.
    private func behindComment(_ start: Int) -> Int {
        var place = start
        while bytes[place] != 0 {
            if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") { return place + 2 }
            place += 1
        }
        return place
    }

    /// Behind a word of small letters, in whatever case it stands there; nil if another stands there.
    private func end(of word: String, _ start: Int) -> Int? {
        let end = start + word.utf8.count
        return bytes[start...].prefix(word.utf8.count).map({ $0 | 0x20 }).elementsEqual(word.utf8) ? end : nil
    }
}
