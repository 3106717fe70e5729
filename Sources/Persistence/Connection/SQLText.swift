/// Looks into SQL without compiling it, which alone carries out many a pragma. Texts end with a NUL.
enum SQLText {
    typealias Place = UnsafePointer<CChar>

    /// Whether no statement follows, only blanks, comments and semicolons.
    static func isBlank(_ text: Place) -> Bool {
        skipBlanks(text).pointee == 0
    }

    /// Whether the first statement is a `PRAGMA`, or an `EXPLAIN` of one. Says so of some texts that are no SQL, too.
    static func isPragma(_ text: Place) -> Bool {
        var text = skipBlanks(text)
        for word in ["explain", "query", "plan"] {
            if let rest = skip(word, text) { text = skipBlanks(rest) }
        }
        return skip("pragma", text) != nil
    }

    /// Behind blanks, comments and semicolons, as SQLite's tokenizer takes them.
    private static func skipBlanks(_ text: Place) -> Place {
        var text = text
        while true {
            switch byte(text, 0) {
            case UInt8(ascii: ";"): text += 1
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
                text += 1
                // To SQLite, a vertical tab is a blank only behind another.
                while byte(text, 0) == 0x0B { text += 1 }
            case UInt8(ascii: "-") where byte(text, 1) == UInt8(ascii: "-"): text = skipLine(text + 2)
            // At the very end of a text, the sign that begins a comment is none.
            case UInt8(ascii: "/") where byte(text, 1) == UInt8(ascii: "*") && byte(text, 2) != 0:
                text = skipComment(text + 2)
            // The mark of UTF-8 that some editors write first.
            case 0xEF where byte(text, 1) == 0xBB && byte(text, 2) == 0xBF: text += 3
            default: return text
            }
        }
    }

    private static func skipLine(_ text: Place) -> Place {
        var text = text
        while byte(text, 0) != 0, byte(text, 0) != UInt8(ascii: "\n") { text += 1 }
        return text
    }

    /// Behind a comment, which the end of the text ends too.
    private static func skipComment(_ text: Place) -> Place {
        var text = text
        while byte(text, 0) != 0 {
            if byte(text, 0) == UInt8(ascii: "*"), byte(text, 1) == UInt8(ascii: "/") { return text + 2 }
            text += 1
        }
        return text
    }

    /// Behind a word of small letters, in whatever case it stands there; nil if another stands there.
    private static func skip(_ word: String, _ text: Place) -> Place? {
        var text = text
        for letter in word.utf8 {
            guard byte(text, 0) | 0x20 == letter else { return nil }
            text += 1
        }
        return text
    }

    private static func byte(_ text: Place, _ offset: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: text[offset])
    }
}
