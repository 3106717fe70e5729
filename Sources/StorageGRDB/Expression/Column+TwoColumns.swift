// Two expressions beside each other. Disfavoured, so that a literal is looked at as a value first.

// MARK: - Of one type

/// The expressions have one value; nil is equal to nil. SQL: `a = b`, or `a IS b` where one may be NULL
@_disfavoredOverload
public func == <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.equal, lhs.node, rhs.node))
}

/// The expressions have different values, or one has none. SQL: `a <> b`, or `a IS NOT b` where one may be NULL
@_disfavoredOverload
public func != <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.notEqual, lhs.node, rhs.node))
}

/// The first value sorts before the second. NULL never does. SQL: `a < b`
@_disfavoredOverload
public func < <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.less, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts before the second. NULL never does. SQL: `a <= b`
@_disfavoredOverload
public func <= <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.lessOrEqual, lhs.node, rhs.node))
}

/// The first value sorts after the second. NULL never does. SQL: `a > b`
@_disfavoredOverload
public func > <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.greater, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts after the second. NULL never does. SQL: `a >= b`
@_disfavoredOverload
public func >= <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.greaterOrEqual, lhs.node, rhs.node))
}

// MARK: - The second may be nil

/// The expressions have one value; nil is equal to nil. SQL: `a = b`, or `a IS b` where one may be NULL
@_disfavoredOverload
public func == <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.equal, lhs.node, rhs.node))
}

/// The expressions have different values, or one has none. SQL: `a <> b`, or `a IS NOT b` where one may be NULL
@_disfavoredOverload
public func != <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.notEqual, lhs.node, rhs.node))
}

/// The first value sorts before the second. NULL never does. SQL: `a < b`
@_disfavoredOverload
public func < <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.less, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts before the second. NULL never does. SQL: `a <= b`
@_disfavoredOverload
public func <= <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.lessOrEqual, lhs.node, rhs.node))
}

/// The first value sorts after the second. NULL never does. SQL: `a > b`
@_disfavoredOverload
public func > <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.greater, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts after the second. NULL never does. SQL: `a >= b`
@_disfavoredOverload
public func >= <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.greaterOrEqual, lhs.node, rhs.node))
}

// MARK: - The first may be nil

/// The expressions have one value; nil is equal to nil. SQL: `a = b`, or `a IS b` where one may be NULL
@_disfavoredOverload
public func == <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.equal, lhs.node, rhs.node))
}

/// The expressions have different values, or one has none. SQL: `a <> b`, or `a IS NOT b` where one may be NULL
@_disfavoredOverload
public func != <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.notEqual, lhs.node, rhs.node))
}

/// The first value sorts before the second. NULL never does. SQL: `a < b`
@_disfavoredOverload
public func < <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.less, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts before the second. NULL never does. SQL: `a <= b`
@_disfavoredOverload
public func <= <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.lessOrEqual, lhs.node, rhs.node))
}

/// The first value sorts after the second. NULL never does. SQL: `a > b`
@_disfavoredOverload
public func > <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.greater, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts after the second. NULL never does. SQL: `a >= b`
@_disfavoredOverload
public func >= <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.greaterOrEqual, lhs.node, rhs.node))
}
