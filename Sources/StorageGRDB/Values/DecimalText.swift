// A Decimal is kept as its plain digits: no exponent, no needless zeros, one text for each number. So all 38
// digits survive and equal numbers are equal texts. The order of such texts is that of their numbers only under
// the collation below.

extension Decimal: ColumnValue {
    /// `DECIMAL_TEXT`
    public static var columnType: ColumnType { .decimal }

    /// What is stored for this value.
    public func storedValue() throws -> StoredValue {
        guard !isNaN else { throw ColumnEncodingError(reason: "NaN cannot be stored as a decimal number") }
        return .text(description)
    }

    /// Reads decimal text, and a number as its shortest decimal form.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Decimal {
        guard let decimal = row.storedValue(at: index).decimal, !decimal.isNaN else {
            throw row.mismatch(at: index, expected: Decimal.self)
        }
        return decimal
    }
}

// MARK: - Order

/// Compares two plain decimal texts as numbers, without making numbers of them.
func compareDecimalTexts(_ lhs: some StringProtocol, _ rhs: some StringProtocol) -> ComparisonResult {
    let (left, right) = (String(lhs), String(rhs))
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
    fileprivate func compared(to other: some Sequence<UInt8>) -> ComparisonResult {
        lexicographicallyPrecedes(other)
            ? .orderedAscending : other.lexicographicallyPrecedes(self) ? .orderedDescending : .orderedSame
    }
}

extension String {
    /// Whether it is a number, and not one that is too large for a `Decimal`, of which the digits alone do not tell the size.
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
}
