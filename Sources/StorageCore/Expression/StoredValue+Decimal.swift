extension StoredValue {
    /// The number that a text or a number stands for, in its shortest decimal form; nil for anything else.
    package var decimal: Decimal? {
        switch self {
        case .integer(let number): Decimal(number)
        case .text(let text): text.isPlainNumber ? Decimal(string: text) : nil
        // Foundation reads the sign of "-inf" as 0.
        case .real(let number): number.isFinite ? Decimal(string: "\(number)") : nil
        case .null, .blob: nil
        }
    }

    /// The same number as a decimal column holds it, or the value itself if it is no number.
    package var asDecimalText: StoredValue { decimal.map { .text($0.description) } ?? self }
}
