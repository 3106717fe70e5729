/// A number that columns hold, and of which a query makes sums and means.
public protocol NumericColumnValue: ColumnValue, SummableColumnValue where Number == Self {
    /// What a mean of such numbers is: `Decimal` for `Decimal`, `Double` for all others.
    associatedtype Mean: ColumnValue
    /// A sum on its way, wide enough for what the sum of a part may be.
    associatedtype _Sum: Sendable
    /// The sum of no numbers.
    static var _emptySum: _Sum { get }
    /// Adds a number.
    static func _add(_ number: Self, to sum: inout _Sum)
    /// The sum, or nil if it is beyond the type's range.
    static func _total(_ sum: _Sum) -> Self?
    /// The mean of `count` numbers, or nil if the sum is beyond the type's range.
    static func _mean(_ sum: _Sum, of count: Int) -> Mean?
}

extension NumericColumnValue {
    /// The sum of no numbers in an expression.
    static var zeroNode: ExpressionNode { _total(_emptySum).map { .value($0) } ?? .value(0) }
}

extension NumericColumnValue where Self: FixedWidthInteger {
    /// 0
    public static var _emptySum: Int128 { 0 }
    /// Adds a number. 128 bits hold the sum of more rows than a table can have.
    public static func _add(_ number: Self, to sum: inout Int128) { sum += Int128(number) }
    /// The sum, or nil if it is beyond the type's range.
    public static func _total(_ sum: Int128) -> Self? { Self(exactly: sum) }
    /// The mean: the quotient, rounded, of the exact sum. A sum above 2^53 is rounded to a `Double` before.
    public static func _mean(_ sum: Int128, of count: Int) -> Double? { Double(sum) / Double(count) }
}

/// A sum of floating-point numbers together with what each addition rounded away.
public struct _CompensatedSum: Sendable {
    private var sum = 0.0
    private var lost = 0.0

    mutating func add(_ number: Double) {
        let next = sum + number
        lost += abs(sum) >= abs(number) ? (sum - next) + number : (number - next) + sum
        sum = next
    }

    /// Infinite sums have lost nothing that can be said.
    var total: Double { sum.isFinite && lost.isFinite ? sum + lost : sum }
}

extension NumericColumnValue where Self: BinaryFloatingPoint {
    /// 0
    public static var _emptySum: _CompensatedSum { _CompensatedSum() }
    /// Adds a number.
    public static func _add(_ number: Self, to sum: inout _CompensatedSum) { sum.add(Double(number)) }
    /// The sum; infinite if it is beyond the type's range.
    public static func _total(_ sum: _CompensatedSum) -> Self? { Self(sum.total) }
    /// The mean.
    public static func _mean(_ sum: _CompensatedSum, of count: Int) -> Double? { sum.total / Double(count) }
}

extension Double: NumericColumnValue {}
extension Float: NumericColumnValue {}
extension CGFloat: NumericColumnValue {}

extension Decimal: NumericColumnValue {
    /// 0
    public static var _emptySum: Decimal { 0 }
    /// Adds a number. A sum that needs more than 38 digits is rounded to them.
    public static func _add(_ number: Decimal, to sum: inout Decimal) { sum += number }
    /// The sum, or nil if it is beyond the type's range.
    public static func _total(_ sum: Decimal) -> Decimal? { sum.isNaN ? nil : sum }
    /// The mean, or nil if the sum or the mean is beyond the type's range.
    public static func _mean(_ sum: Decimal, of count: Int) -> Decimal? { _total(sum / Decimal(count)) }
}
