public import StorageRepo

extension JoinedQuery {
    /// Asks for columns, expressions or some of the entities instead of all of them.
    ///
    /// ```swift
    /// joined.select { reminder, person in (reminder.title, person.name) }
    /// // SELECT "reminders"."title", "persons"."name" FROM "reminders" JOIN "persons" ON ...
    /// ```
    ///
    /// - Parameter selection: Builds what each row gives, as `select` of a ``Query`` takes it.
    @inlinable
    public func select<each S: Selectable>(
        _ selection: (Rows.Row) -> (repeat each S)
    ) -> Selection<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        selecting { ._of($0, selection) }
    }

    /// Asks for one expression, one of the entities, or a ``StorageSelection()`` struct.
    ///
    /// - Parameter selection: Builds it.
    @_disfavoredOverload
    public func select<S: Selectable>(_ selection: (Rows.Row) -> S) -> Selection<E, S.Value> where S.Value: Sendable {
        selecting { selection($0)._selected }
    }

    @usableFromInline
    func selecting<Row: Sendable>(_ selection: (Rows.Row) -> _Selected<Row>) -> Selection<E, Row> {
        var plan = plan
        let selected = selection(JoinedQuery.row(&plan))
        return Selection(repository, plan, selected)
    }

    /// Makes one row of all that match.
    ///
    /// ```swift
    /// joined.aggregate { reminder, person in (reminder.count(), person.count(distinct: \.name)) }
    /// // SELECT COUNT(*), COUNT(DISTINCT "persons"."name") FROM "reminders" JOIN "persons" ON ...
    /// ```
    ///
    /// - Parameter selection: Builds what the row gives: aggregates, and what is calculated from them. `count()` of the first table and
    ///   of those behind `join` counts combinations; behind `leftJoin` it counts those that have a row of the table.
    public func aggregate<each S: Selectable>(
        _ selection: (Rows.Grouped) -> (repeat each S)
    ) -> OneRow<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        OneRow(selection: groups(plan, by: []).select(selection))
    }

    /// Makes one value of all that match, or a ``StorageSelection()`` struct.
    ///
    /// - Parameter selection: Builds it: an aggregate, or what is calculated from some.
    @_disfavoredOverload
    public func aggregate<S: Selectable>(_ selection: (Rows.Grouped) -> S) -> OneRow<E, S.Value>
    where S.Value: Sendable {
        OneRow(selection: groups(plan, by: []).select(selection))
    }

    /// Puts rows together that have the same values of some expressions. Two nils are the same.
    ///
    /// ```swift
    /// joined.group { reminder, person in person.name }
    ///     .select { reminder, person in (person.name, reminder.count()) }
    /// // SELECT "persons"."name", COUNT(*) FROM "reminders" JOIN "persons" ON ... GROUP BY "persons"."name"
    /// ```
    ///
    /// - Parameter keys: Builds the expressions.
    public func group<F, each K>(
        _ keys: (Rows.Row) -> (Column<F>, repeat Column<each K>)
    ) -> Groups<E, Rows.Grouped> {
        grouped { .of($0, keys) }
    }

    /// Puts rows together that have the same value of an expression. Two nils are the same.
    ///
    /// - Parameter key: Builds the expression.
    @_disfavoredOverload
    public func group<K>(_ key: (Rows.Row) -> Column<K>) -> Groups<E, Rows.Grouped> {
        grouped { [key($0).node] }
    }

    private func grouped(by keys: (Rows.Row) -> [ExpressionNode]) -> Groups<E, Rows.Grouped> {
        var plan = plan
        let keys = keys(JoinedQuery.row(&plan))
        return groups(plan, by: keys)
    }

    /// - Parameter keys: None where all are one group.
    private func groups(_ plan: QueryPlan, by keys: [ExpressionNode]) -> Groups<E, Rows.Grouped> {
        Groups(repository, plan.grouped(by: keys)) { Rows._rows($0.map(ColumnPlace.init)) }
    }

    /// The entities of each row, as `fetch` gives them.
    package var entities: Selection<E, Rows.Values> {
        selecting { Rows._selected($0) }
    }
}
