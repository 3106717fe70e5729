extension Column {
    /// The value as another type, by SQLite's rules: a fraction is cut off where an integer is asked for, and a text is read as a
    /// number as far as it is one. A decimal is read of a text that is a number as a whole; for any other the query throws.
    /// SQL: `CAST("c" AS REAL)`
    ///
    /// - Parameter type: The other type: an integer, a floating-point number, a decimal or a text.
    @_disfavoredOverload
    public func `as`<Other: CastColumnValue>(_ type: Other.Type) -> Column<Other> {
        Column<Other>(.cast(node, to: Other.columnType))
    }

    /// The value as another type; nil stays nil.
    ///
    /// - Parameter type: The other type: an integer, a floating-point number, a decimal or a text.
    public func `as`<Wrapped, Other: CastColumnValue>(_ type: Other.Type) -> Column<Other?> where T == Wrapped? {
        Column<Other?>(.cast(node, to: Other.columnType))
    }
}

/// The types that SQL can make of others.
public protocol CastColumnValue: ColumnValue {}
extension Int: CastColumnValue {}
extension Int8: CastColumnValue {}
extension Int16: CastColumnValue {}
extension Int32: CastColumnValue {}
extension Int64: CastColumnValue {}
extension UInt8: CastColumnValue {}
extension UInt16: CastColumnValue {}
extension UInt32: CastColumnValue {}
extension Double: CastColumnValue {}
extension Float: CastColumnValue {}
extension CGFloat: CastColumnValue {}
extension Decimal: CastColumnValue {}
extension String: CastColumnValue {}
