extension StoredValue {
    /// A letter for its kind, and the value as text.
    package var tagged: String {
        switch self {
        case .null: "n"
        case .integer(let value): "i\(value)"
        case .real(let value): "r\(value.bitPattern)"
        case .text(let value): "t" + value
        case .blob(let value): "b" + value.base64EncodedString()
        }
    }

    /// Reads what ``tagged`` wrote.
    package init?(tagged: String) {
        // By scalars: a text may begin with one that joins the letter before it to one character.
        let rest = String(tagged.unicodeScalars.dropFirst())
        let value: StoredValue? =
            switch tagged.unicodeScalars.first {
            case "n": rest.isEmpty ? .null : nil
            case "i": Int64(rest).map { .integer($0) }
            // SQLite has no NaN: it would bind NULL, of which the order knows nothing.
            case "r": UInt64(rest).map(Double.init(bitPattern:)).flatMap { $0.isNaN ? nil : .real($0) }
            case "t": .text(rest)
            case "b": Data(base64Encoded: rest).map { .blob($0) }
            default: nil
            }
        guard let value else { return nil }
        self = value
    }
}
