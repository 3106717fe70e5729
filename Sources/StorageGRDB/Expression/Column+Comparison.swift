// Few overloads, so that a long predicate type-checks in milliseconds. None of these types conforms to anything of GRDB's, for the same
// reason.

// MARK: - Columns of a ColumnValue

/// The column holds that value; `nil` finds NULL. SQL: `"c" = ?`
public func == <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.equal, .value(rhs, beside: lhs.node))
}

/// The column holds another value. A row with NULL is found too, as it is in Swift. SQL: `"c" <> ?`
public func != <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.notEqual, .value(rhs, beside: lhs.node))
}

/// The column sorts before the value. NULL never does. SQL: `"c" < ?`
public func < <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.less, .value(rhs, beside: lhs.node))
}

/// The column is the value or sorts before it. SQL: `"c" <= ?`
public func <= <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.lessOrEqual, .value(rhs, beside: lhs.node))
}

/// The column sorts after the value. NULL never does. SQL: `"c" > ?`
public func > <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.greater, .value(rhs, beside: lhs.node))
}

/// The column is the value or sorts after it. SQL: `"c" >= ?`
public func >= <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.greaterOrEqual, .value(rhs, beside: lhs.node))
}

// MARK: - Columns of a raw value, which may be missing

// Beside those above, and disfavoured: a column of a record written by hand takes any type. In `$0.a == $0.b` it could otherwise be
// read as a column whose value is the other column.

/// The column holds that value; `nil` finds NULL. SQL: `"c" = ?`
@_disfavoredOverload
public func == <T>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.equal, .value(rhs, beside: lhs.node))
}

/// The column holds another value. A row with NULL is found too, as it is in Swift. SQL: `"c" <> ?`
@_disfavoredOverload
public func != <T>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.notEqual, .value(rhs, beside: lhs.node))
}

/// The column sorts before the value. NULL never does. SQL: `"c" < ?`
@_disfavoredOverload
public func < <T>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.less, .value(rhs, beside: lhs.node))
}

/// The column is the value or sorts before it. SQL: `"c" <= ?`
@_disfavoredOverload
public func <= <T>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.lessOrEqual, .value(rhs, beside: lhs.node))
}

/// The column sorts after the value. NULL never does. SQL: `"c" > ?`
@_disfavoredOverload
public func > <T>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.greater, .value(rhs, beside: lhs.node))
}

/// The column is the value or sorts after it. SQL: `"c" >= ?`
@_disfavoredOverload
public func >= <T>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.greaterOrEqual, .value(rhs, beside: lhs.node))
}

// MARK: - Columns that are never nil

/// Never there: it gives the compiler words for a nil beside a column that has none.
@_disfavoredOverload
@available(*, unavailable, message: "the column is never nil")
public func == <T>(lhs: Column<T>, rhs: _OptionalNilComparisonType) -> Predicate { Predicate(.never) }

/// Never there: it gives the compiler words for a nil beside a column that has none.
@_disfavoredOverload
@available(*, unavailable, message: "the column is never nil")
public func != <T>(lhs: Column<T>, rhs: _OptionalNilComparisonType) -> Predicate { Predicate(.never) }
