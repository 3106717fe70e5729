package import Foundation

/// Compares two plain decimal texts as numbers, without making numbers of them.
package func compareDecimalTexts(_ left: String, _ right: String) -> ComparisonResult {
    // What is no number stands behind all that are.
    switch (left.isDecimal, right.isDecimal) {
    case (true, true): break
    case (true, false): return .orderedAscending
    case (false, true): return .orderedDescending
    case (false, false): return left.utf8.compared(to: right.utf8)
    }
    if left.hasExponent || right.hasExponent, let left = Decimal(string: left), let right = Decimal(string: right) {
        return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    }
    var (lhs, rhs) = (left[...].utf8.withoutTrailingZeros, right[...].utf8.withoutTrailingZeros)
    let isNegative = lhs.takeSign()
    guard rhs.takeSign() == isNegative else { return isNegative ? .orderedAscending : .orderedDescending }
    return isNegative ? compareMagnitudes(rhs, lhs) : compareMagnitudes(lhs, rhs)
}

/// More digits before the point make the greater number; of equally many, the first that differs decides.
private func compareMagnitudes<Left: Collection<UInt8>, Right: Collection<UInt8>>(
    _ lhs: Left, _ rhs: Right
) -> ComparisonResult {
    let point = UInt8(ascii: ".")
    let left = lhs.prefix { $0 != point }.count
    let right = rhs.prefix { $0 != point }.count
    if left != right { return left < right ? .orderedAscending : .orderedDescending }
    return lhs.compared(to: rhs)
}

extension Sequence<UInt8> {
    func compared(to other: some Sequence<UInt8>) -> ComparisonResult {
        lexicographicallyPrecedes(other)
            ? .orderedAscending : other.lexicographicallyPrecedes(self) ? .orderedDescending : .orderedSame
    }
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

    /// Whether it is a number, and not one that is too large for a `Decimal`, of which the digits alone do not tell the
    /// size.
    fileprivate var isDecimal: Bool { isPlainNumber && (!hasExponent || Decimal(string: self)?.isNaN == false) }

    /// Arithmetic of SQLite writes large and small numbers so; ours have none.
    fileprivate var hasExponent: Bool { utf8.contains { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") } }
}

extension Substring.UTF8View {
    /// Ours have none, but raw SQL may have written `5.00`, or `+007`.
    fileprivate var withoutTrailingZeros: Substring.UTF8View {
        guard contains(UInt8(ascii: ".")) else { return self }
        var rest = self
        while rest.last == UInt8(ascii: "0") { rest.removeLast() }
        if rest.last == UInt8(ascii: ".") { rest.removeLast() }
        return rest
    }

    /// Takes what stands before the first digit that counts; returns whether the number is below zero.
    fileprivate mutating func takeSign() -> Bool {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        while skip("0") {}
        return isNegative && !isEmpty
    }

    fileprivate mutating func skip(_ character: Unicode.Scalar) -> Bool {
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
