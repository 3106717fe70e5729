/// Rows that can be summed up: those of a to-many relation, of a query, of a group.
///
/// ```swift
/// storage.query(RemindersList.self).where { $0.reminders.count { $0.status == .incomplete } > 3 }
/// // ... WHERE (SELECT COUNT(*) FROM "reminders" WHERE ("reminders"."listId" = "reminderslists"."id") AND (...)) > ?
/// ```
///
/// What is summed up is a column by its key path, or what a closure makes of a row; a closure behind `where` says which rows
/// count. What comes of it is an expression like any other: it can be compared, sorted by, selected and calculated with.
public protocol RowSet<E> {
    /// The entity whose rows they are, or the struct that was selected.
    associatedtype E: QueriedRow

    /// What is made of the rows.
    ///
    /// - Parameter make: Says of one of the rows what is made of all.
    func _aggregate<T>(_ make: (ColumnRef<E>) -> RowAggregate) -> Column<T>

    /// There is a row.
    ///
    /// - Parameter condition: What the row must meet; nil for nothing.
    func _exists(_ condition: ((ColumnRef<E>) -> Predicate)?) -> Predicate
}

extension RowSet {
    /// There is a row: more than none are counted.
    public func _exists(_ condition: ((ColumnRef<E>) -> Predicate)?) -> Predicate {
        (condition.map { count(where: $0) } ?? count()) > 0
    }
}

// MARK: - Whether there are any

extension RowSet {
    /// There is a row. SQL: `EXISTS (SELECT 1 FROM ...)`
    public func exists() -> Predicate { _exists(nil) }

    /// There is a row that meets a condition.
    ///
    /// ```swift
    /// storage.query(RemindersList.self).where { $0.reminders.exists { $0.isFlagged } }
    /// // ... WHERE EXISTS (SELECT 1 FROM "reminders" WHERE ("reminders"."listId" = "reminderslists"."id") AND (...))
    /// ```
    ///
    /// - Parameter condition: Builds the condition.
    public func exists(where condition: (ColumnRef<E>) -> any PredicateConvertible) -> Predicate {
        withoutActuallyEscaping(condition) { condition in _exists { condition($0).predicate } }
    }

    /// There is no row. SQL: `NOT (EXISTS (SELECT 1 FROM ...))`
    public var isEmpty: Predicate { !exists() }

    /// There is no row that meets a condition.
    ///
    /// - Parameter condition: Builds the condition.
    public func isEmpty(where condition: (ColumnRef<E>) -> any PredicateConvertible) -> Predicate {
        !exists(where: condition)
    }
}

// MARK: - How many there are

extension RowSet {
    /// How many rows there are. SQL: `COUNT(*)`
    public func count() -> Column<Int> {
        _aggregate { _ in RowAggregate(.count) }
    }

    /// How many rows meet a condition.
    ///
    /// - Parameter condition: Builds the condition.
    public func count(where condition: (ColumnRef<E>) -> any PredicateConvertible) -> Column<Int> {
        _aggregate { RowAggregate(.count, where: condition($0).predicate.node) }
    }

    /// In how many rows a column is not nil. SQL: `COUNT("c")`
    ///
    /// - Parameters:
    ///   - column: The column: `\.dueDate`.
    ///   - condition: Which rows count; without one all do.
    public func count<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<Int> {
        count(of: { $0[keyPath: column] }, where: condition)
    }

    /// In how many rows an expression is not nil.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; without one all do.
    @_disfavoredOverload
    public func count<T>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<Int> {
        _aggregate { RowAggregate(.count, expression($0).node, where: condition?($0).predicate.node) }
    }

    /// How many different values a column has; nil is none. SQL: `COUNT(DISTINCT "c")`
    ///
    /// - Parameters:
    ///   - column: The column: `\.assigneeId`.
    ///   - condition: Which rows count; without one all do.
    public func count<T>(
        distinct column: KeyPath<ColumnRef<E>, Column<T>>,
        where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<Int> {
        count(distinct: { $0[keyPath: column] }, where: condition)
    }

    /// How many different values an expression has; nil is none.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; without one all do.
    @_disfavoredOverload
    public func count<T>(
        distinct expression: (ColumnRef<E>) -> Column<T>,
        where condition: ((ColumnRef<E>) -> any PredicateConvertible)? = nil
    ) -> Column<Int> {
        _aggregate {
            RowAggregate(.count, expression($0).node, where: condition?($0).predicate.node, isDistinct: true)
        }
    }
}
