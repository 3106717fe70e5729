extension StoredValue {
    /// The number that a text or a number stands for, in its shortest decimal form; nil for anything else.
    package var decimal: Decimal? {
        switch self {
        case .integer(let number): Decimal(number)
        case .text(let text): text.isPlainNumber ? Decimal(string: text) : nil
        case .real(let number): Decimal(string: "\(number)")
        case .null, .blob: nil
        }
    }

    /// The same number as a decimal column holds it, or the value itself if it is no number.
    package var asDecimalText: StoredValue { decimal.map { .text($0.description) } ?? self }
}

extension String {
    /// `Decimal(string:)` reads the number at the beginning and ignores what follows, so that has to be ruled out.
    package var isPlainNumber: Bool {
        var rest = utf8[...]
        rest.skipSign()
        let hasInteger = rest.skipDigits()
        let hasFraction = rest.skip(".") && rest.skipDigits()
        guard hasInteger || hasFraction else { return false }
        if rest.skip("e") || rest.skip("E") {
            rest.skipSign()
            guard rest.skipDigits() else { return false }
        }
        return rest.isEmpty
    }
}

extension Substring.UTF8View {
    @inlinable
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: character) else { return false }
        removeFirst()
        return true
    }

    fileprivate mutating func skipSign() {
        if !skip("-") { _ = skip("+") }
    }

    fileprivate mutating func skipDigits() -> Bool {
        let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        removeFirst(digits.count)
        return !digits.isEmpty
    }
}
