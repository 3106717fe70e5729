// Numbers of one type, and texts. Where one is nil the result is.

extension Column where T: NumericColumnValue {
    /// The sum. SQL: `"c" + ?`
    public static func + (lhs: Column<T>, rhs: T) -> Column<T> {
        Column<T>(.arithmetic(.add, lhs.node, .value(rhs)))
    }

    /// The sum.
    public static func + (lhs: T, rhs: Column<T>) -> Column<T> {
        Column<T>(.arithmetic(.add, .value(lhs), rhs.node))
    }

    /// The difference. SQL: `"c" - ?`
    public static func - (lhs: Column<T>, rhs: T) -> Column<T> {
        Column<T>(.arithmetic(.subtract, lhs.node, .value(rhs)))
    }

    /// The difference.
    public static func - (lhs: T, rhs: Column<T>) -> Column<T> {
        Column<T>(.arithmetic(.subtract, .value(lhs), rhs.node))
    }

    /// The product. SQL: `"c" * ?`
    public static func * (lhs: Column<T>, rhs: T) -> Column<T> {
        Column<T>(.arithmetic(.multiply, lhs.node, .value(rhs)))
    }

    /// The product.
    public static func * (lhs: T, rhs: Column<T>) -> Column<T> {
        Column<T>(.arithmetic(.multiply, .value(lhs), rhs.node))
    }

    /// The quotient, nil where the divisor is 0; of integers without the fraction. SQL: `"c" / ?`
    public static func / (lhs: Column<T>, rhs: T) -> Column<T?> {
        Column<T?>(.arithmetic(.divide, lhs.node, .value(rhs)))
    }

    /// The quotient, nil where the divisor is 0; of integers without the fraction.
    public static func / (lhs: T, rhs: Column<T>) -> Column<T?> {
        Column<T?>(.arithmetic(.divide, .value(lhs), rhs.node))
    }
}

// MARK: - Columns of numbers that may be nil

extension Column where T: SummableColumnValue {
    /// The number with the other sign. SQL: `? - "c"`
    public static prefix func - (column: Column<T>) -> Column<T> {
        Column<T>(.arithmetic(.subtract, T.Number.zeroNode, column.node))
    }

    // Two columns, both of numbers that may be nil or neither.

    /// The sum.
    public static func + (lhs: Column<T>, rhs: Column<T>) -> Column<T> {
        Column<T>(.arithmetic(.add, lhs.node, rhs.node))
    }

    /// The difference.
    public static func - (lhs: Column<T>, rhs: Column<T>) -> Column<T> {
        Column<T>(.arithmetic(.subtract, lhs.node, rhs.node))
    }

    /// The product.
    public static func * (lhs: Column<T>, rhs: Column<T>) -> Column<T> {
        Column<T>(.arithmetic(.multiply, lhs.node, rhs.node))
    }

    /// The quotient, nil where the divisor is 0; of integers without the fraction.
    public static func / (lhs: Column<T>, rhs: Column<T>) -> Column<T.Number?> {
        Column<T.Number?>(.arithmetic(.divide, lhs.node, rhs.node))
    }

    // Two columns, of which one is of numbers that may be nil.

    /// The sum.
    public static func + <U: SummableColumnValue>(lhs: Column<T>, rhs: Column<U>) -> Column<T.Number?>
    where U.Number == T.Number {
        Column<T.Number?>(.arithmetic(.add, lhs.node, rhs.node))
    }

    /// The difference.
    public static func - <U: SummableColumnValue>(lhs: Column<T>, rhs: Column<U>) -> Column<T.Number?>
    where U.Number == T.Number {
        Column<T.Number?>(.arithmetic(.subtract, lhs.node, rhs.node))
    }

    /// The product.
    public static func * <U: SummableColumnValue>(lhs: Column<T>, rhs: Column<U>) -> Column<T.Number?>
    where U.Number == T.Number {
        Column<T.Number?>(.arithmetic(.multiply, lhs.node, rhs.node))
    }

    /// The quotient, nil where the divisor is 0; of integers without the fraction.
    public static func / <U: SummableColumnValue>(lhs: Column<T>, rhs: Column<U>) -> Column<T.Number?>
    where U.Number == T.Number {
        Column<T.Number?>(.arithmetic(.divide, lhs.node, rhs.node))
    }
}

// MARK: - Numbers that may be nil

extension Column {
    /// The sum.
    public static func + <N: NumericColumnValue>(lhs: Column<N?>, rhs: N) -> Column<N?> where T == N? {
        Column<N?>(.arithmetic(.add, lhs.node, .value(rhs)))
    }

    /// The sum.
    public static func + <N: NumericColumnValue>(lhs: N, rhs: Column<N?>) -> Column<N?> where T == N? {
        Column<N?>(.arithmetic(.add, .value(lhs), rhs.node))
    }

    /// The difference.
    public static func - <N: NumericColumnValue>(lhs: Column<N?>, rhs: N) -> Column<N?> where T == N? {
        Column<N?>(.arithmetic(.subtract, lhs.node, .value(rhs)))
    }

    /// The difference.
    public static func - <N: NumericColumnValue>(lhs: N, rhs: Column<N?>) -> Column<N?> where T == N? {
        Column<N?>(.arithmetic(.subtract, .value(lhs), rhs.node))
    }

    /// The product.
    public static func * <N: NumericColumnValue>(lhs: Column<N?>, rhs: N) -> Column<N?> where T == N? {
        Column<N?>(.arithmetic(.multiply, lhs.node, .value(rhs)))
    }

    /// The product.
    public static func * <N: NumericColumnValue>(lhs: N, rhs: Column<N?>) -> Column<N?> where T == N? {
        Column<N?>(.arithmetic(.multiply, .value(lhs), rhs.node))
    }

    /// The quotient, nil where the divisor is 0; of integers without the fraction.
    public static func / <N: NumericColumnValue>(lhs: Column<N?>, rhs: N) -> Column<N?> where T == N? {
        Column<N?>(.arithmetic(.divide, lhs.node, .value(rhs)))
    }

    /// The quotient, nil where the divisor is 0; of integers without the fraction.
    public static func / <N: NumericColumnValue>(lhs: N, rhs: Column<N?>) -> Column<N?> where T == N? {
        Column<N?>(.arithmetic(.divide, .value(lhs), rhs.node))
    }
}

// MARK: - Texts

extension Column where T: TextColumnValue {
    /// The two texts, one behind the other; nil where one is nil. SQL: `"c" || ?`
    public static func + (lhs: Column<T>, rhs: String) -> Column<T> {
        Column<T>(.arithmetic(.join, lhs.node, .value(rhs)))
    }

    /// The two texts, one behind the other; nil where one is nil.
    public static func + (lhs: String, rhs: Column<T>) -> Column<T> {
        Column<T>(.arithmetic(.join, .value(lhs), rhs.node))
    }

    /// The two texts, one behind the other; nil where one is nil.
    public static func + (lhs: Column<T>, rhs: Column<T>) -> Column<T> {
        Column<T>(.arithmetic(.join, lhs.node, rhs.node))
    }

    /// The two texts, one behind the other; nil where one is nil.
    public static func + <U: TextColumnValue>(lhs: Column<T>, rhs: Column<U>) -> Column<String?> {
        Column<String?>(.arithmetic(.join, lhs.node, rhs.node))
    }
}

// MARK: - Numbers of unlike types

extension Column where T: SummableColumnValue {
    /// Never there: it gives the compiler words, and a place, for types that are unlike.
    @available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
    public static func + <U: SummableColumnValue>(lhs: Column<T>, rhs: Column<U>) -> Column<T> { Column<T>(.never) }

    /// Never there: it gives the compiler words, and a place, for types that are unlike.
    @available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
    public static func - <U: SummableColumnValue>(lhs: Column<T>, rhs: Column<U>) -> Column<T> { Column<T>(.never) }

    /// Never there: it gives the compiler words, and a place, for types that are unlike.
    @available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
    public static func * <U: SummableColumnValue>(lhs: Column<T>, rhs: Column<U>) -> Column<T> { Column<T>(.never) }

    /// Never there: it gives the compiler words, and a place, for types that are unlike.
    @available(*, unavailable, message: "the two are of unlike types; `as` makes one of the other")
    public static func / <U: SummableColumnValue>(lhs: Column<T>, rhs: Column<U>) -> Column<T> { Column<T>(.never) }
}
