// Two expressions beside each other. None is disfavoured: for each use of one that is, the compiler would try all other ways to read the
// conditions around it.

// MARK: - Of one type

/// The expressions have one value; nil is equal to nil. SQL: `a = b`, or `a IS b` where one may be NULL
public func == <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.equal, lhs.node, rhs.node))
}

/// The expressions have different values, or one has none. SQL: `a <> b`, or `a IS NOT b` where one may be NULL
public func != <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.notEqual, lhs.node, rhs.node))
}

/// The first value sorts before the second. NULL never does. SQL: `a < b`
public func < <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.less, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts before the second. NULL never does. SQL: `a <= b`
public func <= <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.lessOrEqual, lhs.node, rhs.node))
}

/// The first value sorts after the second. NULL never does. SQL: `a > b`
public func > <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.greater, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts after the second. NULL never does. SQL: `a >= b`
public func >= <T>(lhs: Column<T>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.greaterOrEqual, lhs.node, rhs.node))
}

// MARK: - The second may be nil

/// The expressions have one value; nil is equal to nil. SQL: `a = b`, or `a IS b` where one may be NULL
public func == <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.equal, lhs.node, rhs.node))
}

/// The expressions have different values, or one has none. SQL: `a <> b`, or `a IS NOT b` where one may be NULL
public func != <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.notEqual, lhs.node, rhs.node))
}

/// The first value sorts before the second. NULL never does. SQL: `a < b`
public func < <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.less, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts before the second. NULL never does. SQL: `a <= b`
public func <= <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.lessOrEqual, lhs.node, rhs.node))
}

/// The first value sorts after the second. NULL never does. SQL: `a > b`
public func > <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.greater, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts after the second. NULL never does. SQL: `a >= b`
public func >= <T>(lhs: Column<T>, rhs: Column<T?>) -> Predicate {
    Predicate(.compare(.greaterOrEqual, lhs.node, rhs.node))
}

// MARK: - The first may be nil

/// The expressions have one value; nil is equal to nil. SQL: `a = b`, or `a IS b` where one may be NULL
public func == <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.equal, lhs.node, rhs.node))
}

/// The expressions have different values, or one has none. SQL: `a <> b`, or `a IS NOT b` where one may be NULL
public func != <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.notEqual, lhs.node, rhs.node))
}

/// The first value sorts before the second. NULL never does. SQL: `a < b`
public func < <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.less, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts before the second. NULL never does. SQL: `a <= b`
public func <= <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.lessOrEqual, lhs.node, rhs.node))
}

/// The first value sorts after the second. NULL never does. SQL: `a > b`
public func > <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.greater, lhs.node, rhs.node))
}

/// The values are the same, or the first sorts after the second. NULL never does. SQL: `a >= b`
public func >= <T>(lhs: Column<T?>, rhs: Column<T>) -> Predicate {
    Predicate(.compare(.greaterOrEqual, lhs.node, rhs.node))
}

// MARK: - Of unlike types

/// Never there: it gives the compiler words, and a place, for types that are unlike.
@available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
public func == <T, U>(lhs: Column<T>, rhs: Column<U>) -> Predicate { Predicate(.never) }

/// Never there: it gives the compiler words, and a place, for types that are unlike.
@available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
public func != <T, U>(lhs: Column<T>, rhs: Column<U>) -> Predicate { Predicate(.never) }

/// Never there: it gives the compiler words, and a place, for types that are unlike.
@available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
public func < <T, U>(lhs: Column<T>, rhs: Column<U>) -> Predicate { Predicate(.never) }

/// Never there: it gives the compiler words, and a place, for types that are unlike.
@available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
public func <= <T, U>(lhs: Column<T>, rhs: Column<U>) -> Predicate { Predicate(.never) }

/// Never there: it gives the compiler words, and a place, for types that are unlike.
@available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
public func > <T, U>(lhs: Column<T>, rhs: Column<U>) -> Predicate { Predicate(.never) }

/// Never there: it gives the compiler words, and a place, for types that are unlike.
@available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
public func >= <T, U>(lhs: Column<T>, rhs: Column<U>) -> Predicate { Predicate(.never) }
