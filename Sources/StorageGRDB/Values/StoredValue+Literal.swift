extension StoredValue {
    /// The value as SQL writes it; nil for what a DEFAULT cannot hold.
    var sqlLiteral: String? {
        switch self {
        case .null: nil
        case .integer(let value): "\(value)"
        case .real(let value): value.isFinite ? "\(value)" : value < 0 ? "-9e999" : "9e999"
        // SQL text ends at its first NUL.
        case .text(let value): value.utf8.contains(0) ? nil : value.quotedLiteral
        case .blob(let value): "x'" + value.map { String(format: "%02x", $0) }.joined() + "'"
        }
    }
}
