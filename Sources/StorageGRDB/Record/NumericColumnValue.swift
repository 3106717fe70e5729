/// A number that columns hold, and of which a query makes sums and means.
public protocol NumericColumnValue: ColumnValue {
    /// What a mean of such numbers is: `Decimal` for `Decimal`, `Double` for all others.
    associatedtype Mean: ColumnValue
    /// Zero.
    static var _zero: Self { get }
    /// The sum of two numbers.
    ///
    /// - Throws: ``ColumnEncodingError`` if it is beyond the type's range.
    static func _sum(_ lhs: Self, _ rhs: Self) throws -> Self
    /// Takes one more number into a mean of `count` numbers before it.
    static func _mean(_ mean: Mean, of count: Int, adding number: Self) -> Mean
    /// The mean of no number, before the first is taken in.
    static var _zeroMean: Mean { get }
}

extension NumericColumnValue where Self: FixedWidthInteger {
    /// Zero.
    public static var _zero: Self { 0 }
    /// The sum of two numbers.
    public static func _sum(_ lhs: Self, _ rhs: Self) throws -> Self {
        let (sum, overflow) = lhs.addingReportingOverflow(rhs)
        if overflow { throw ColumnEncodingError(reason: "the sum is beyond the range of \(Self.self)") }
        return sum
    }
    /// Takes one more number into a mean.
    public static func _mean(_ mean: Double, of count: Int, adding number: Self) -> Double {
        Double._mean(mean, of: count, adding: Double(number))
    }
    /// 0
    public static var _zeroMean: Double { 0 }
}

extension NumericColumnValue where Self: BinaryFloatingPoint {
    /// Zero.
    public static var _zero: Self { 0 }
    /// The sum of two numbers.
    public static func _sum(_ lhs: Self, _ rhs: Self) -> Self { lhs + rhs }
    /// Takes one more number into a mean.
    public static func _mean(_ mean: Double, of count: Int, adding number: Self) -> Double {
        // Never larger than the numbers, where a sum might overflow.
        mean * (Double(count) / Double(count + 1)) + Double(number) / Double(count + 1)
    }
    /// 0
    public static var _zeroMean: Double { 0 }
}

extension Int: NumericColumnValue {}
extension Int8: NumericColumnValue {}
extension Int16: NumericColumnValue {}
extension Int32: NumericColumnValue {}
extension Int64: NumericColumnValue {}
extension UInt: NumericColumnValue {}
extension UInt8: NumericColumnValue {}
extension UInt16: NumericColumnValue {}
extension UInt32: NumericColumnValue {}
extension UInt64: NumericColumnValue {}
extension Double: NumericColumnValue {}
extension Float: NumericColumnValue {}
extension CGFloat: NumericColumnValue {}

extension Decimal: NumericColumnValue {
    /// Zero.
    public static var _zero: Decimal { 0 }
    /// The sum of two numbers.
    public static func _sum(_ lhs: Decimal, _ rhs: Decimal) throws -> Decimal {
        let sum = lhs + rhs
        if sum.isNaN { throw ColumnEncodingError(reason: "the sum is beyond the range of Decimal") }
        return sum
    }
    /// Takes one more number into a mean.
    public static func _mean(_ mean: Decimal, of count: Int, adding number: Decimal) -> Decimal {
        mean + (number - mean) / Decimal(count + 1)
    }
    /// 0
    public static var _zeroMean: Decimal { 0 }
}
