// Those of columns that are never nil stand first: the compiler tries them first, and takes seconds over five in one closure the other
// way round.

extension RowSet {
    /// The least value of a column; nil where there are no rows. SQL: `MIN("c")`
    ///
    /// - Parameters:
    ///   - column: The column: `\.dueDate`.
    ///   - condition: Which rows count; without one all do.
    public func min<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T?> {
        _aggregate { RowAggregate(.least, $0[keyPath: column].node, where: condition?($0).predicate.node) }
    }

    /// The least value of an expression; nil where there are no rows.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; without one all do.
    public func min<T>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T?> {
        _aggregate { RowAggregate(.least, expression($0).node, where: condition?($0).predicate.node) }
    }

    /// The least value of a column that may be nil; nil where there are no rows, or nil alone. SQL: `MIN("c")`
    ///
    /// - Parameters:
    ///   - column: The column: `\.dueDate`.
    ///   - condition: Which rows count; without one all do.
    public func min<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T?>>,
        where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T?> {
        _aggregate { RowAggregate(.least, $0[keyPath: column].node, where: condition?($0).predicate.node) }
    }

    /// The least value of an expression that may be nil; nil where there are no rows, or nil alone.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; without one all do.
    public func min<T>(
        of expression: (ColumnRef<E>) -> Column<T?>,
        where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T?> {
        _aggregate { RowAggregate(.least, expression($0).node, where: condition?($0).predicate.node) }
    }

    /// The greatest value of a column; nil where there are no rows. SQL: `MAX("c")`
    ///
    /// - Parameters:
    ///   - column: The column: `\.dueDate`.
    ///   - condition: Which rows count; without one all do.
    public func max<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T?> {
        _aggregate { RowAggregate(.greatest, $0[keyPath: column].node, where: condition?($0).predicate.node) }
    }

    /// The greatest value of an expression; nil where there are no rows.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; without one all do.
    public func max<T>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T?> {
        _aggregate { RowAggregate(.greatest, expression($0).node, where: condition?($0).predicate.node) }
    }

    /// The greatest value of a column that may be nil; nil where there are no rows, or nil alone. SQL: `MAX("c")`
    ///
    /// - Parameters:
    ///   - column: The column: `\.dueDate`.
    ///   - condition: Which rows count; without one all do.
    public func max<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T?>>,
        where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T?> {
        _aggregate { RowAggregate(.greatest, $0[keyPath: column].node, where: condition?($0).predicate.node) }
    }

    /// The greatest value of an expression that may be nil; nil where there are no rows, or nil alone.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; without one all do.
    public func max<T>(
        of expression: (ColumnRef<E>) -> Column<T?>,
        where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<T?> {
        _aggregate { RowAggregate(.greatest, expression($0).node, where: condition?($0).predicate.node) }
    }
}
