extension Column {
    /// The column holds one of the values; a nil among them finds NULL. SQL: `"c" IN (?, ?)`
    ///
    /// - Parameter values: Any number of values. No row is found if there is none.
    public func `in`(_ values: some Sequence<T>) -> Predicate { isIn(values) }

    /// The column holds one of the values, of which none is nil. SQL: `"c" IN (?, ?)`
    ///
    /// - Parameter values: Any number of values. No row is found if there is none.
    public func `in`<Wrapped>(_ values: some Sequence<Wrapped>) -> Predicate where T == Wrapped? { isIn(values) }

    private func isIn<Value>(_ values: some Sequence<Value>) -> Predicate {
        Predicate(
            .values(values, beside: node) { stored, type in
                let notNull = stored.filter { $0 != .null }
                return .isIn(node, notNull, type, orNull: notNull.count < stored.count)
            })
    }

    /// The column holds a value from the first to the last, both included. NULL is not between them. SQL: `("c" >= ?) AND ("c" <= ?)`
    ///
    /// - Parameters:
    ///   - first: The least value. If it is greater than the last, no row is found.
    ///   - last: The greatest value.
    public func between(_ first: T, _ last: T) -> Predicate {
        self >= first && self <= last
    }

    /// The column holds a value of the range. SQL: `("c" >= ?) AND ("c" <= ?)`
    ///
    /// - Parameter range: The least and the greatest value.
    public func between(_ range: ClosedRange<T>) -> Predicate where T: Comparable {
        between(range.lowerBound, range.upperBound)
    }

    /// The column holds a value of the range, which ends before its upper bound. SQL: `("c" >= ?) AND ("c" < ?)`
    ///
    /// - Parameter range: The least value, and the one that is no longer in it.
    public func between(_ range: Range<T>) -> Predicate where T: Comparable {
        self >= range.lowerBound && self < range.upperBound
    }

    /// The column holds a value of the range; NULL is in none. SQL: `("c" >= ?) AND ("c" <= ?)`
    ///
    /// - Parameter range: The least and the greatest value.
    public func between<Wrapped: Comparable>(_ range: ClosedRange<Wrapped>) -> Predicate where T == Wrapped? {
        between(range.lowerBound, range.upperBound)
    }

    /// The column holds a value of the range, which ends before its upper bound; NULL is in none. SQL: `("c" >= ?) AND ("c" < ?)`
    ///
    /// - Parameter range: The least value, and the one that is no longer in it.
    public func between<Wrapped: Comparable>(_ range: Range<Wrapped>) -> Predicate where T == Wrapped? {
        self >= range.lowerBound && self < range.upperBound
    }
}
