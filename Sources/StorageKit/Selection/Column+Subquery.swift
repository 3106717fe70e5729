public import StorageRepo

extension Column where T: Sendable {
    /// The value is one of those that a query finds; nil is one like any other. SQL: `"c" IN (SELECT ...)`
    ///
    /// ```swift
    /// let cities = storage.query(City.self).where { $0.population > 1_000_000 }.select(\.id)
    /// storage.query(User.self).where { $0.cityId.in(cities) }
    /// // SELECT ... FROM "users" WHERE "users"."cityId" IN (SELECT "citys"."id" FROM "citys" WHERE ...)
    /// ```
    ///
    /// - Parameter query: A selection of one value.
    public func `in`<E>(_ query: Selection<E, T>) -> Predicate {
        Predicate(.isInQuery(node, query.plan))
    }

    /// The value is one of those that a query finds, among which nil may be.
    ///
    /// - Parameter query: A selection of one value.
    public func `in`<E>(_ query: Selection<E, T?>) -> Predicate {
        Predicate(.isInQuery(node, query.plan))
    }

    /// The value is one of those that a query finds; nil is none of them.
    ///
    /// - Parameter query: A selection of one value.
    public func `in`<E, Wrapped>(_ query: Selection<E, Wrapped>) -> Predicate where T == Wrapped? {
        Predicate(.isInQuery(node, query.plan))
    }
}
