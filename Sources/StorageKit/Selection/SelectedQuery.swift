public import StorageRepo

extension Selection where Row: QueriedRow {
    /// Asks the rows of the selection as if they stood in a table.
    ///
    /// ```swift
    /// let lists = storage.query(RemindersList.self)
    ///     .select { ListRow.columns(list: $0, open: $0.reminders.count { !$0.isDone }, nextDue: $0.reminders.min(\.dueDate)) }
    /// let busy = try await lists.asQuery().where { $0.open > 3 }.orderBy(\.nextDue).fetch()
    /// // SELECT ... FROM (SELECT "reminderslists"."id" AS "list.id", ..., (SELECT COUNT(*) ...) AS "open", ... FROM "reminderslists")
    /// // "selection" WHERE "open" > ? ORDER BY "nextDue" ASC
    /// ```
    ///
    /// What is asked are the rows of a ``StorageSelection()`` struct, whose properties are columns then, or of one entity. The rows are those
    /// that ``RowQuery/fetch()`` would give, limit, offset and ``distinct()`` counted; their order says which of them a limit leaves, and nothing else.
    public func asQuery() -> SelectedQuery<E, Row> {
        let layout = Row._layout
        return SelectedQuery(
            repository, plan.asTable(layout.name, columns: layout.columns, idColumn: layout.idColumn), selected)
    }
}

/// A question to the rows of a selection, which ``Selection/asQuery()`` begins. Each step returns a new value.
///
/// It has what a ``Query`` has for reading. A property is a column of its type, an entity a path to its columns (`$0.list.title`), as
/// is another selected struct; entities that a relation leads to, which a statement of their own reads, cannot be asked about.
public struct SelectedQuery<E: RegisteredEntity, Row: QueriedRow & Sendable>: Sendable, PlannedQuery {
    private let repository: GenericRepository<E, E.Record>
    var plan: QueryPlan
    private let selected: _Selected<Row>

    fileprivate init(_ repository: GenericRepository<E, E.Record>, _ plan: QueryPlan, _ selected: _Selected<Row>) {
        self.repository = repository
        self.plan = plan
        self.selected = selected
    }

    /// Keeps the rows that meet a condition, and all conditions added before. After a limit or an offset it asks the rows that
    /// those leave.
    ///
    /// - Parameter predicate: Builds the condition from the columns; nil is false.
    public func `where`(_ predicate: (ColumnRef<Row>) -> any PredicateConvertible) -> SelectedQuery {
        filtered { predicate(ColumnRef($0.newSource())).predicate.node }
    }

    /// Sorts by a column, after those named before.
    ///
    /// - Parameters:
    ///   - column: The column: `\.open`, `\.list.title`.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand; nil leaves them first when ascending and last when descending.
    public func orderBy<T>(
        _ column: KeyPath<ColumnRef<Row>, Column<T>>, _ order: SortOrder = .ascending, nulls: NullsOrder? = nil
    ) -> SelectedQuery {
        orderBy({ $0[keyPath: column] }, order, nulls: nulls)
    }

    /// Sorts by an expression, after those named before.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand; nil leaves them first when ascending and last when descending.
    public func orderBy<T>(
        _ expression: (ColumnRef<Row>) -> Column<T>, _ order: SortOrder = .ascending, nulls: NullsOrder? = nil
    ) -> SelectedQuery {
        changing { $0.sort(by: expression(ColumnRef($0.newSource())).node, order, nulls: nulls) }
    }

    /// Returns at most so many rows.
    ///
    /// - Parameter n: The number; the call that asks throws if it is negative.
    public func limit(_ n: Int) -> SelectedQuery {
        changing { $0.limit = n }
    }

    /// Passes over the first rows.
    ///
    /// - Parameter n: The number; the call that asks throws if it is negative.
    public func offset(_ n: Int) -> SelectedQuery {
        changing { $0.offset = n }
    }

    /// The rows, with equal ones counted once: a selection again, that ``Selection/asQuery()`` makes a query of.
    public func distinct() -> Selection<E, Row> {
        asSelection().distinct()
    }

    /// The rows as a selection, for whatever takes one, such as a ``LiveWindow``.
    public func asSelection() -> Selection<E, Row> {
        Selection(repository, plan, selected.reading(plan.table.columns.map { .column($0.name, of: nil) }))
    }
}

extension SelectedQuery: RowQuery {
    /// The rows as a selection.
    public var _rows: Selection<E, Row> { asSelection() }
}

// MARK: - Selections and groups

extension SelectedQuery {
    /// Asks for columns and expressions instead of whole rows.
    ///
    /// - Parameter selection: Builds what each row gives, as `select` of a ``Query`` takes it.
    @inlinable
    public func select<each S: Selectable>(
        _ selection: (ColumnRef<Row>) -> (repeat each S)
    ) -> Selection<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        selecting { ._of($0, selection) }
    }

    /// Asks for one expression, or for the columns of another ``StorageSelection()`` struct.
    ///
    /// - Parameter selection: Builds what each row gives.
    @_disfavoredOverload
    public func select<S: Selectable>(_ selection: (ColumnRef<Row>) -> S) -> Selection<E, S.Value>
    where S.Value: Sendable {
        selecting { selection($0)._selected }
    }

    @usableFromInline
    func selecting<Value: Sendable>(_ selection: (ColumnRef<Row>) -> _Selected<Value>) -> Selection<E, Value> {
        var plan = plan
        let selected = selection(ColumnRef(plan.newSource()))
        return Selection(repository, plan, selected)
    }

    /// Asks for one column.
    ///
    /// - Parameter column: The column.
    public func select<T: Sendable>(_ column: KeyPath<ColumnRef<Row>, Column<T>>) -> Selection<E, T> {
        selecting { $0[keyPath: column]._selected }
    }

    /// Makes one row of all that match.
    ///
    /// ```swift
    /// let (mean, most) = try await lists.asQuery().aggregate { ($0.avg(\.open), $0.max(\.open)) }.fetchOne()!
    /// // SELECT AVG("open"), MAX("open") FROM (SELECT ...) "selection"
    /// ```
    ///
    /// - Parameter selection: Builds what the row gives: aggregates, and what is calculated from them.
    public func aggregate<each S: Selectable>(
        _ selection: (Rows<Row>) -> (repeat each S)
    ) -> OneRow<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        OneRow(selection: groups(plan, by: []).select(selection))
    }

    /// Makes one value of all that match, or another ``StorageSelection()`` struct.
    ///
    /// - Parameter selection: Builds it: an aggregate, or what is calculated from some.
    @_disfavoredOverload
    public func aggregate<S: Selectable>(_ selection: (Rows<Row>) -> S) -> OneRow<E, S.Value> where S.Value: Sendable {
        OneRow(selection: groups(plan, by: []).select(selection))
    }

    /// Puts rows together that have the same values in some columns. Two nils are the same.
    ///
    /// ```swift
    /// lists.asQuery().group(by: \.open).select { ($0.open, $0.count()) }
    /// // SELECT "open", COUNT(*) FROM (SELECT ...) "selection" GROUP BY "open"
    /// ```
    ///
    /// - Parameters:
    ///   - key: The first column.
    ///   - more: The others.
    public func group<F, each K>(
        by key: KeyPath<ColumnRef<Row>, Column<F>>, _ more: repeat KeyPath<ColumnRef<Row>, Column<each K>>
    ) -> Groups<E, Rows<Row>> {
        group { ($0[keyPath: key], repeat $0[keyPath: each more]) }
    }

    /// Puts rows together that have the same values of some expressions. Two nils are the same.
    ///
    /// - Parameter keys: Builds the expressions.
    public func group<F, each K>(
        _ keys: (ColumnRef<Row>) -> (Column<F>, repeat Column<each K>)
    ) -> Groups<E, Rows<Row>> {
        grouped { .of($0, keys) }
    }

    /// Puts rows together that have the same value of an expression. Two nils are the same.
    ///
    /// - Parameter key: Builds the expression.
    @_disfavoredOverload
    public func group<K>(_ key: (ColumnRef<Row>) -> Column<K>) -> Groups<E, Rows<Row>> {
        grouped { [key($0).node] }
    }

    /// Puts rows together that have the same entity. Each of its columns has then one value.
    ///
    /// - Parameter entity: The entity among the columns.
    public func group<P>(by entity: KeyPath<ColumnRef<Row>, ToOne<P>>) -> Groups<E, Rows<Row>> {
        grouped { [$0[keyPath: entity].key] }
    }

    /// Puts rows together that have the same entity, and those that have none.
    ///
    /// - Parameter entity: The entity among the columns, which may be nil.
    public func group<P>(by entity: KeyPath<ColumnRef<Row>, OptionalToOne<P>>) -> Groups<E, Rows<Row>> {
        grouped { [$0[keyPath: entity].key] }
    }

    private func grouped(by keys: (ColumnRef<Row>) -> [ExpressionNode]) -> Groups<E, Rows<Row>> {
        var plan = plan
        let keys = keys(ColumnRef(plan.newSource()))
        return groups(plan, by: keys)
    }

    /// - Parameter keys: None where all are one group.
    private func groups(_ plan: QueryPlan, by keys: [ExpressionNode]) -> Groups<E, Rows<Row>> {
        Groups(repository, plan.grouped(by: keys)) { Rows($0[0]) }
    }
}
