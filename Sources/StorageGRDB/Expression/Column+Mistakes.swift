// None of these is ever there. They give the compiler words, and a place, for what is easily written and means nothing, and cost nothing
// where code is right: it looks at them only where all else has failed.

// MARK: - Beside a value of another type

/// Never there: the value is of another type.
@available(*, unavailable, message: "the column is of another type than the value, or the value may be nil: unwrap it")
public func == <T, Value>(lhs: Column<T>, rhs: Value) -> Predicate { Predicate(.never) }

/// Never there: the value is of another type.
@available(*, unavailable, message: "the column is of another type than the value, or the value may be nil: unwrap it")
public func != <T, Value>(lhs: Column<T>, rhs: Value) -> Predicate { Predicate(.never) }

/// Never there: the value is of another type.
@available(*, unavailable, message: "the column is of another type than the value, or the value may be nil: unwrap it")
public func < <T, Value>(lhs: Column<T>, rhs: Value) -> Predicate { Predicate(.never) }

/// Never there: the value is of another type.
@available(*, unavailable, message: "the column is of another type than the value, or the value may be nil: unwrap it")
public func <= <T, Value>(lhs: Column<T>, rhs: Value) -> Predicate { Predicate(.never) }

/// Never there: the value is of another type.
@available(*, unavailable, message: "the column is of another type than the value, or the value may be nil: unwrap it")
public func > <T, Value>(lhs: Column<T>, rhs: Value) -> Predicate { Predicate(.never) }

/// Never there: the value is of another type.
@available(*, unavailable, message: "the column is of another type than the value, or the value may be nil: unwrap it")
public func >= <T, Value>(lhs: Column<T>, rhs: Value) -> Predicate { Predicate(.never) }

// MARK: - Lists and ranges

extension Column {
    /// Never there: values without a list around them.
    @available(*, unavailable, message: "the values are one list: 'in([a, b])'")
    public func `in`(_ first: T, _ second: T, _ more: T...) -> Predicate { Predicate(.never) }
}

extension Sequence {
    /// Never there: Swift's way round. SQL's begins with the column.
    @available(*, unavailable, message: "the column stands first: '$0.name.in(values)'")
    public func contains(_ column: Column<Element>) -> Predicate { Predicate(.never) }
}

extension ClosedRange {
    /// Never there: Swift's way round. SQL's begins with the column.
    @available(*, unavailable, message: "the column stands first: '$0.age.between(18...65)'")
    public func contains(_ column: Column<Bound>) -> Predicate { Predicate(.never) }
}

extension Range {
    /// Never there: Swift's way round. SQL's begins with the column.
    @available(*, unavailable, message: "the column stands first: '$0.age.between(18..<65)'")
    public func contains(_ column: Column<Bound>) -> Predicate { Predicate(.never) }
}
