extension StoredValue {
    /// The value as a DEFAULT has it; nil for NULL, which a column has without a DEFAULT too.
    package var defaultLiteral: String? {
        switch self {
        case .null: nil
        case .text(let text) where text.utf8.contains(0): "(\(literal))"
        default: literal
        }
    }

    /// The value as SQL writes it, for places that take no arguments.
    package var literal: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        // Beyond the range of SQLite's numbers, so that it reads infinity.
        case .real(let number) where number.isInfinite: number < 0 ? "-9e999" : "9e999"
        case .real(let number): "\(number)"
        case .text(let text): text.literal
        case .blob(let data): "x'" + data.map(\.hexDigits).joined() + "'"
        }
    }
}

extension String {
    /// SQLite ends a statement at a NUL. In its place stands a character that the text has not, and replace() puts the NUL back.
    fileprivate var literal: String {
        guard utf8.contains(0) else { return quotedLiteral }
        let characters = Set(unicodeScalars)
        let standIn = (1...UInt32.max).lazy.compactMap(Unicode.Scalar.init).first { !characters.contains($0) }
        guard let standIn else { preconditionFailure("a text has all characters of Unicode") }
        let text = String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? standIn : $0 }))
        return "replace(\(text.quotedLiteral), \(String(standIn).quotedLiteral), char(0))"
    }
}
