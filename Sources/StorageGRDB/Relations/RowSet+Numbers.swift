extension RowSet {
    /// The sum of a column; 0 where there are no rows, or nil alone. SQL: `COALESCE(SUM("c"), 0)`
    ///
    /// - Parameters:
    ///   - column: The column: `\.position`.
    ///   - condition: Which rows count; without one all do.
    public func sum<T: SummableColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T.Number> {
        sum(of: { $0[keyPath: column] }, where: condition)
    }

    /// The sum of an expression; 0 where there are no rows, or nil alone.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression: `{ $0.price * $0.count }`.
    ///   - condition: Which rows count; without one all do.
    public func sum<T: SummableColumnValue>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T.Number> {
        _aggregate {
            RowAggregate(.sum, expression($0).node, where: condition?($0).predicate.node, ofNothing: T.Number.zeroNode)
        }
    }

    /// The mean of a column; nil where there are no rows, or nil alone. SQL: `AVG("c")`
    ///
    /// - Parameters:
    ///   - column: The column: `\.position`.
    ///   - condition: Which rows count; without one all do.
    /// - Returns: A `Decimal` for a decimal column, a `Double` for all others.
    public func avg<T: SummableColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T.Number.Mean?> {
        avg(of: { $0[keyPath: column] }, where: condition)
    }

    /// The mean of an expression; nil where there are no rows, or nil alone.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; without one all do.
    /// - Returns: A `Decimal` for decimals, a `Double` for all others.
    public func avg<T: SummableColumnValue>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T.Number.Mean?> {
        _aggregate { RowAggregate(.average, expression($0).node, where: condition?($0).predicate.node) }
    }
}

extension RowSet {
    /// Never there: it gives the compiler words for a column without numbers, and for a name that is no column's.
    @_disfavoredOverload
    @available(*, unavailable, message: "there is no column of numbers of this name")
    public func sum<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<Int> { Column(.never) }

    /// Never there.
    @_disfavoredOverload
    @available(*, unavailable, message: "there is no column of numbers of this name")
    public func avg<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<Double?> { Column(.never) }
}
