extension ClosureQuery {
    /// Asks for columns, expressions or entities instead of whole rows.
    ///
    /// ```swift
    /// let rows = try await storage.query(User.self).orderBy(\.name).select { ($0.name, $0.age + 1) }.fetch()
    /// // SELECT "name", "age" + ? FROM "users" ORDER BY "name" ASC
    /// joined.select { reminder, person in (reminder.title, person.name) }
    /// // SELECT "reminders"."title", "persons"."name" FROM "reminders" JOIN "persons" ON ...
    /// ```
    ///
    /// - Parameter selection: Builds what each row gives: one expression, a tuple of some, `$0` for the entity itself, an embedded
    ///   value, or the columns of a ``StorageSelection()`` struct.
    @inlinable
    public func select<each S: Selectable>(
        _ selection: (Given) -> (repeat each S)
    ) -> Selection<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        selecting { ._of($0, selection) }
    }

    /// Asks for one expression, for an entity, or for the columns of a ``StorageSelection()`` struct.
    ///
    /// - Parameter selection: Builds what each row gives.
    @_disfavoredOverload
    public func select<S: Selectable>(_ selection: (Given) -> S) -> Selection<E, S.Value> where S.Value: Sendable {
        selecting { selection($0)._selected }
    }

    @usableFromInline
    func selecting<Row: Sendable>(_ selection: (Given) -> _Selected<Row>) -> Selection<E, Row> {
        var plan = plan
        let selected = selection(given(&plan))
        plan.refuseUnclearColumns(in: selected.nodes)
        if !_question.loaded.isEmpty, selected.holdsEntities {
            plan.add(.invalid("entities that are selected have no relations included; select the relation beside them"))
        }
        return Selection(repository, plan, selected)
    }
}
