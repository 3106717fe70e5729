/// What has columns as its members.
public protocol HasColumns {}

// Never there: they give the compiler words, and a place for them, for a name that it does not find. Without them it settles on
// a `where` without columns, and complains about the `$0`.
extension HasColumns {
    /// A name that is no column's, beside a value.
    @available(*, unavailable, message: "there is no column of this name and type")
    public subscript<T>(dynamicMember name: NoColumnOfThisNameAndType) -> Column<T> { Column(.never) }

    /// A name that is no column's, by itself.
    @available(*, unavailable, message: "there is no column of this name and type")
    public subscript(dynamicMember name: NoColumnOfThisNameAndType) -> NoColumn { NoColumn() }
}

/// A name that is no column's. It cannot be part of a key path, whose errors would have no place.
public struct NoColumnOfThisNameAndType: ExpressibleByStringLiteral {
    /// Creates one.
    public init(stringLiteral name: String) {}
}

/// What a name stands for that is no column's.
public struct NoColumn: PredicateConvertible, Sendable {
    /// Nothing.
    public var predicate: Predicate { Predicate(.never) }
}
