/// What has columns as its members.
public protocol HasColumns {}

// Never there: they give the compiler words, and a place for them, for a name that it does not find. Without them it settles on
// a `where` without columns, and complains about the `$0`.
extension HasColumns {
    /// A name that is no column's, beside a value.
    @available(*, unavailable, message: "there is no column of this name, or its type is another than is needed here")
    public subscript<T>(dynamicMember name: NoColumnOfThisNameAndType) -> Column<T> { Column(.never) }

    /// A name that is no column's, by itself.
    @available(*, unavailable, message: "there is no column of this name, or its type is another than is needed here")
    public subscript(dynamicMember name: NoColumnOfThisNameAndType) -> Column<NoColumn> { Column(.never) }
}

/// A name that is no column's. It is not Hashable, so that a key path with such a name is an error, and one with a place: what is
/// unavailable in a key path is told without file and line.
public struct NoColumnOfThisNameAndType: ExpressibleByStringLiteral {
    /// Creates one.
    public init(stringLiteral name: String) {}
}

/// The type of what a name stands for that is no column's. With it as the type the compiler sees through what is around such a name: a
/// call that takes a key path, a `where`, a `hasPrefix`. There are no values of it.
public enum NoColumn: ConditionValue, TextColumnValue {
    /// None.
    public static var columnType: ColumnType { .text }

    /// Never called.
    public func storedValue() -> StoredValue { .null }

    /// Always throws.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> NoColumn {
        throw row.mismatch(at: index, expected: NoColumn.self)
    }
}

// The name is to blame, and not what it is followed by.

extension Column where T == NoColumn {
    /// What follows a name that is no relation's, in place of the column's own name.
    public var name: Column<NoColumn> { self }
}

/// A name that is no column's, beside nil.
@available(*, unavailable, message: "there is no column of this name, or its type is another than is needed here")
public func == (lhs: Column<NoColumn>, rhs: _OptionalNilComparisonType) -> Predicate { Predicate(.never) }

/// A name that is no column's, beside nil.
@available(*, unavailable, message: "there is no column of this name, or its type is another than is needed here")
public func != (lhs: Column<NoColumn>, rhs: _OptionalNilComparisonType) -> Predicate { Predicate(.never) }
