extension String {
    /// The name between double quotes, as SQL writes an identifier.
    package var quotedIdentifier: String { quoted(between: "\"") }

    /// The text between single quotes, as SQL writes a literal.
    package var quotedLiteral: String { quoted(between: "'") }

    /// By scalars: a quotation mark with a combining accent is one letter to Swift, and two to SQLite.
    private func quoted(between mark: Unicode.Scalar) -> String {
        var quoted = String.UnicodeScalarView([mark])
        for scalar in unicodeScalars {
            if scalar == mark { quoted.append(mark) }
            quoted.append(scalar)
        }
        quoted.append(mark)
        return String(quoted)
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
