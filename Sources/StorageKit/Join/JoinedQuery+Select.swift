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
    public func select<each S: Selectable>(
        _ selection: (ColumnRef<E>, repeat each Other) -> (repeat each S)
    ) -> Selection<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        var plan = plan
        let (row, others) = JoinedQuery.rows(&plan)
        let parts = selection(row, repeat each others)
        return Selection(repository, plan, ._together(repeat each parts))
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
        _ selection: (Rows<E>, repeat (each Other).Grouped) -> (repeat each S)
    ) -> OneRow<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        var plan = plan.grouped(by: [])
        let (rows, others) = Groups<E, repeat each Other>.rows(&plan)
        let parts = selection(rows, repeat each others)
        return OneRow(selection: Selection(repository, plan, ._together(repeat each parts)))
    }

    /// Makes one value of all that match.
    ///
    /// - Parameter selection: Builds the value: an aggregate, or what is calculated from some.
    public func aggregate<T: Sendable>(
        _ selection: (Rows<E>, repeat (each Other).Grouped) -> Column<T>
    ) -> OneRow<E, T> {
        var plan = plan.grouped(by: [])
        let (rows, others) = Groups<E, repeat each Other>.rows(&plan)
        let column = selection(rows, repeat each others)
        return OneRow(selection: Selection(repository, plan, column._selected))
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
    public func group<each K>(
        _ keys: (ColumnRef<E>, repeat each Other) -> (repeat Column<each K>)
    ) -> Groups<E, repeat each Other> {
        var plan = plan
        let (row, others) = JoinedQuery.rows(&plan)
        let columns = keys(row, repeat each others)
        var nodes: [ExpressionNode] = []
        for column in repeat each columns { nodes.append(column.node) }
        return Groups(repository, plan.grouped(by: nodes))
    }

    /// The entities of each row, as `fetch` gives them.
    package var entities: Selection<E, (E, repeat (each Other).Value)> {
        var plan = plan
        let (row, others) = JoinedQuery.rows(&plan)
        return Selection(repository, plan, ._together(row, repeat each others))
    }
}
