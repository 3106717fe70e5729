public import StorageRepo

extension Query {
    /// Puts rows of another entity beside each: a row for each pair that meets a condition. Where no relation leads from the one to the
    /// other, that is; along a relation, `$0.list.title` needs no join.
    ///
    /// ```swift
    /// let mentions = try await storage.query(Reminder.self)
    ///     .join(Person.self) { reminder, person in reminder.notes.contains(person.name) }
    ///     .where { reminder, person in reminder.isFlagged }
    ///     .select { reminder, person in (reminder.title, person.name) }
    ///     .fetch()
    /// // SELECT "reminders"."title", "persons"."name" FROM "reminders"
    /// // JOIN "persons" ON instr("reminders"."notes", "persons"."name") > 0 WHERE "reminders"."isFlagged" = ?
    /// ```
    ///
    /// After a limit or an offset, only the rows that those leave are joined.
    ///
    /// - Parameters:
    ///   - other: The other entity.
    ///   - condition: Says of a row and one of the other entity whether they are a pair.
    public func join<P: RegisteredEntity>(
        _ other: P.Type, on condition: (ColumnRef<E>, ColumnRef<P>) -> any PredicateConvertible
    ) -> JoinedQuery<E, TwoRows<ColumnRef<E>, ColumnRef<P>>> {
        JoinedQuery(repository, pairs(isOptional: false, condition))
    }

    /// Puts rows of another entity beside each, and keeps a row that has none: what follows of the other is nil then.
    ///
    /// ```swift
    /// let open = storage.query(Person.self)
    ///     .leftJoin(Reminder.self) { person, reminder in reminder.assigneeId == person.id && reminder.isFlagged }
    ///     .select { person, reminder in (person.name, reminder.title) }    // Selection of (String, String?)
    /// // SELECT "persons"."name", "reminders"."title" FROM "persons"
    /// // LEFT JOIN "reminders" ON ("reminders"."assigneeId" IS "persons"."id") AND ("reminders"."isFlagged" = ?)
    /// ```
    ///
    /// - Parameters:
    ///   - other: The other entity.
    ///   - condition: Says of a row and one of the other entity, which is there, whether they are a pair.
    public func leftJoin<P: RegisteredEntity>(
        _ other: P.Type, on condition: (ColumnRef<E>, ColumnRef<P>) -> any PredicateConvertible
    ) -> JoinedQuery<E, TwoRows<ColumnRef<E>, OptionalToOne<P>>> {
        JoinedQuery(repository, pairs(isOptional: true, condition))
    }

    private func pairs<P: RegisteredEntity>(
        isOptional: Bool, _ condition: (ColumnRef<E>, ColumnRef<P>) -> any PredicateConvertible
    ) -> QueryPlan {
        var plan = plan.remaining()
        if !loaded.isEmpty {
            plan.add(.invalid("a query that includes relations cannot be joined; select what you need of them"))
        }
        let row = given(&plan)
        return plan.joined(isOptional: isOptional) { condition(row, $0) }
    }
}
