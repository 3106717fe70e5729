extension String {
    /// The name between double quotes, as SQL writes an identifier.
    package var quotedIdentifier: String { quoted(between: UInt8(ascii: "\"")) }

    /// The text between single quotes, as SQL writes a literal.
    package var quotedLiteral: String { quoted(between: UInt8(ascii: "'")) }

    /// By bytes: a quotation mark with a combining accent is one letter to Swift, and two to SQLite.
    private func quoted(between mark: UInt8) -> String {
        var quoted: [UInt8] = []
        quoted.reserveCapacity(utf8.count + 2)
        quoted.append(mark)
        for byte in utf8 {
            if byte == mark { quoted.append(mark) }
            quoted.append(byte)
        }
        quoted.append(mark)
        return String(decoding: quoted, as: UTF8.self)
    }

    /// The name with the capitals of ASCII as small letters: to SQLite, no other letter has a case.
    package var asciiLowercased: String {
        guard utf8.contains(where: { $0.asciiLowercased != $0 }) else { return self }
        return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }
}

extension UInt8 {
    /// The byte of the small letter, if it is that of a capital.
    @inlinable package var asciiLowercased: UInt8 { (65...90).contains(self) ? self + 32 : self }
}
