extension Column where T: ColumnValue {
    /// The column holds one of the values; a nil among them finds NULL. SQL: `"c" IN (?, ?)`
    ///
    /// - Parameter values: Any number of values. No row is found if there is none.
    public func `in`(_ values: some Sequence<T>) -> Predicate {
        isIn(T.columnType) { try values.map { try $0.storedValue() } }
    }

    /// The column holds a value from the first to the last, both included. SQL: `("c" >= ?) AND ("c" <= ?)`
    ///
    /// - Parameters:
    ///   - first: The least value. If it is greater than the last, no row is found.
    ///   - last: The greatest value.
    public func between(_ first: T, _ last: T) -> Predicate {
        self >= first && self <= last
    }
}

extension Column where T: ColumnValue & Comparable {
    /// The column holds a value of the range. SQL: `("c" >= ?) AND ("c" <= ?)`
    ///
    /// - Parameter range: The least and the greatest value.
    public func between(_ range: ClosedRange<T>) -> Predicate {
        between(range.lowerBound, range.upperBound)
    }

    /// The column holds a value of the range, which ends before its upper bound. SQL: `("c" >= ?) AND ("c" < ?)`
    ///
    /// - Parameter range: The least value, and the one that is no longer in it.
    public func between(_ range: Range<T>) -> Predicate {
        self >= range.lowerBound && self < range.upperBound
    }
}

extension Column {
    /// The column holds one of the values, of which none is nil. SQL: `"c" IN (?, ?)`
    ///
    /// - Parameter values: Any number of values. No row is found if there is none.
    public func `in`<Wrapped: ColumnValue>(_ values: some Sequence<Wrapped>) -> Predicate where T == Wrapped? {
        isIn(Wrapped.columnType) { try values.map { try $0.storedValue() } }
    }

    /// The column holds a value of the range; NULL is in none. SQL: `("c" >= ?) AND ("c" <= ?)`
    ///
    /// - Parameter range: The least and the greatest value.
    public func between<Wrapped: ColumnValue & Comparable>(_ range: ClosedRange<Wrapped>) -> Predicate
    where T == Wrapped? {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// The column holds a value of the range, which ends before its upper bound; NULL is in none. SQL: `("c" >= ?) AND ("c" < ?)`
    ///
    /// - Parameter range: The least value, and the one that is no longer in it.
    public func between<Wrapped: ColumnValue & Comparable>(_ range: Range<Wrapped>) -> Predicate where T == Wrapped? {
        self >= range.lowerBound && self < range.upperBound
    }
}

extension Column where T: RawRepresentable, T.RawValue: ColumnValue {
    /// The column holds one of the values. SQL: `"c" IN (?, ?)`
    ///
    /// - Parameter values: Any number of values. No row is found if there is none.
    @_disfavoredOverload
    public func `in`(_ values: some Sequence<T>) -> Predicate {
        isIn(T.RawValue.columnType) { try values.map { try $0.rawValue.storedValue() } }
    }

    /// The column holds a raw value from the first to the last, both included.
    /// SQL: `("c" >= ?) AND ("c" <= ?)`
    ///
    /// - Parameters:
    ///   - first: The value with the least raw value.
    ///   - last: The value with the greatest raw value.
    @_disfavoredOverload
    public func between(_ first: T, _ last: T) -> Predicate {
        self >= first && self <= last
    }
}

extension Column {
    /// The column holds one of the values; a nil among them finds NULL. SQL: `"c" IN (?, ?)`
    ///
    /// - Parameter values: Any number of values. No row is found if there is none.
    @_disfavoredOverload
    public func `in`<Raw: RawRepresentable>(_ values: some Sequence<Raw?>) -> Predicate
    where T == Raw?, Raw.RawValue: ColumnValue {
        isIn(Raw.RawValue.columnType) { try values.map { try $0?.rawValue.storedValue() ?? .null } }
    }

    /// The column holds one of the values, of which none is nil. SQL: `"c" IN (?, ?)`
    ///
    /// - Parameter values: Any number of values. No row is found if there is none.
    @_disfavoredOverload
    public func `in`<Raw: RawRepresentable>(_ values: some Sequence<Raw>) -> Predicate
    where T == Raw?, Raw.RawValue: ColumnValue {
        isIn(Raw.RawValue.columnType) { try values.map { try $0.rawValue.storedValue() } }
    }

    /// The column holds a raw value from the first to the last, both included. NULL is not between them.
    ///
    /// - Parameters:
    ///   - first: The value with the least raw value.
    ///   - last: The value with the greatest raw value.
    @_disfavoredOverload
    public func between<Raw: RawRepresentable>(_ first: Raw, _ last: Raw) -> Predicate
    where T == Raw?, Raw.RawValue: ColumnValue {
        self >= first && self <= last
    }

    private func isIn(_ type: ColumnType, _ values: () throws -> [StoredValue]) -> Predicate {
        do {
            let stored = try values()
            let notNull = stored.filter { $0 != .null }
            return Predicate(.isIn(node, notNull, type, orNull: notNull.count < stored.count))
        } catch {
            return Predicate(.invalid(error, of: node))
        }
    }
}
