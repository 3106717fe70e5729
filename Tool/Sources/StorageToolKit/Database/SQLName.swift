extension String {
    /// The name as SQL writes it: in quotation marks, those inside doubled.
    var quotedName: String { quoted(between: UInt8(ascii: "\"")) }

    /// The text as SQL writes it.
    var quotedText: String { quoted(between: UInt8(ascii: "'")) }

    /// The text that a literal of SQL stands for; nil for what is none, or more than one.
    var unquotedText: String? {
        let mark = UInt8(ascii: "'")
        guard utf8.count >= 2, utf8.first == mark, utf8.last == mark else { return nil }
        var text: [UInt8] = []
        var isOpen = false
        for byte in utf8.dropFirst().dropLast() {
            guard byte != mark || !isOpen else {
                isOpen = false
                continue
            }
            guard !isOpen else { return nil }
            isOpen = byte == mark
            text.append(byte)
        }
        return isOpen ? nil : String(decoding: text, as: UTF8.self)
    }

    /// Small letters as SQLite compares names: in ASCII alone.
    var folded: String { String(decoding: nameKey, as: UTF8.self) }

    /// What is the same for two names that are one to SQLite. To Swift, a composed and a decomposed letter are one, too.
    var nameKey: [UInt8] { utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } }

    /// By bytes: a quotation mark with a combining accent is one letter to Swift, and two to SQLite.
    private func quoted(between mark: UInt8) -> String {
        var quoted: [UInt8] = [mark]
        quoted.reserveCapacity(utf8.count + 2)
        for byte in utf8 {
            if byte == mark { quoted.append(mark) }
            quoted.append(byte)
        }
        quoted.append(mark)
        return String(decoding: quoted, as: UTF8.self)
    }
}
