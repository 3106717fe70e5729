public import StorageRepo

/// A question to several tables whose rows stand side by side: what `join` and `leftJoin` of a ``Query`` return. Each step returns a
/// new value.
///
/// ```swift
/// storage.query(Reminder.self)
///     .join(Person.self) { reminder, person in reminder.notes.contains(person.name) }
///     .where { reminder, person in reminder.isFlagged }
///     .orderBy { reminder, person in person.name }
/// ```
///
/// Each closure is given a row of each table, in the order in which they were joined. `fetch` gives the entities themselves, as tuples:
/// `[(Reminder, Person)]`, and `[(Reminder, Person?)]` behind a `leftJoin`; ``select(_:)`` gives less, ``group(_:)`` and
/// `aggregate` put rows together. A row is known by the ids of all its entities.
public struct JoinedQuery<E: RegisteredEntity, each Other: JoinedRow>: Sendable {
    package let repository: GenericRepository<E, E.Record>
    package var plan: QueryPlan

    init(_ repository: GenericRepository<E, E.Record>, _ plan: QueryPlan) {
        self.repository = repository
        self.plan = plan
    }

    /// Keeps the rows that meet a condition, and all conditions added before. After a limit or an offset it asks the rows that
    /// those leave.
    ///
    /// - Parameter predicate: Builds the condition from the columns of both.
    public func `where`(_ predicate: (ColumnRef<E>, repeat each Other) -> Predicate) -> JoinedQuery {
        var plan = plan.left()
        let (row, others) = JoinedQuery.rows(&plan)
        plan.add(predicate(row, repeat each others).node)
        return JoinedQuery(repository, plan)
    }

    /// Keeps the rows that meet a condition that may be nil, which is false.
    ///
    /// - Parameter predicate: Builds the condition.
    @_disfavoredOverload
    public func `where`(_ predicate: (ColumnRef<E>, repeat each Other) -> Column<Bool?>) -> JoinedQuery {
        var plan = plan.left()
        let (row, others) = JoinedQuery.rows(&plan)
        plan.add(predicate(row, repeat each others).node)
        return JoinedQuery(repository, plan)
    }

    /// Sorts by an expression, after those named before.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand; nil leaves them first when ascending and last when descending.
    public func orderBy<T>(
        _ expression: (ColumnRef<E>, repeat each Other) -> Column<T>, _ order: SortOrder = .ascending,
        nulls: NullsOrder? = nil
    ) -> JoinedQuery {
        var plan = plan
        let (row, others) = JoinedQuery.rows(&plan)
        plan.sort(by: expression(row, repeat each others).node, order, nulls: nulls)
        return JoinedQuery(repository, plan)
    }

    /// Returns at most so many rows.
    ///
    /// - Parameter n: The number; the call that asks throws if it is negative.
    public func limit(_ n: Int) -> JoinedQuery {
        changing { $0.limit = n }
    }

    /// Passes over the first rows.
    ///
    /// - Parameter n: The number; the call that asks throws if it is negative.
    public func offset(_ n: Int) -> JoinedQuery {
        changing { $0.offset = n }
    }

    private func changing(_ change: (inout QueryPlan) -> Void) -> JoinedQuery {
        var query = self
        change(&query.plan)
        return query
    }

    /// What stands for a row of each table in the closure that builds the next part of a plan.
    static func rows(_ plan: inout QueryPlan) -> (ColumnRef<E>, (repeat each Other)) {
        let row = ColumnRef<E>(plan.newSource())
        var sources = plan.newSourcesOfJoins()
        return (row, (repeat (each Other)._row(ColumnPlace(source: sources.removeFirst()))))
    }
}

// MARK: - Further tables

extension JoinedQuery {
    /// Puts rows of one more entity beside each: a row for each combination that meets a condition.
    ///
    /// - Parameters:
    ///   - other: The other entity.
    ///   - condition: Says of a row of each table, and one of the other entity, whether they belong together.
    public func join<P: RegisteredEntity>(
        _ other: P.Type, on condition: (ColumnRef<E>, repeat each Other, ColumnRef<P>) -> Predicate
    ) -> JoinedQuery<E, repeat each Other, ColumnRef<P>> {
        JoinedQuery<E, repeat each Other, ColumnRef<P>>(repository, joined(P.self, isOptional: false, condition))
    }

    /// Puts rows of one more entity beside each, and keeps a row that has none.
    ///
    /// - Parameters:
    ///   - other: The other entity.
    ///   - condition: Says of a row of each table, and one of the other entity, which is there, whether they belong together.
    public func leftJoin<P: RegisteredEntity>(
        _ other: P.Type, on condition: (ColumnRef<E>, repeat each Other, ColumnRef<P>) -> Predicate
    ) -> JoinedQuery<E, repeat each Other, OptionalToOne<P>> {
        JoinedQuery<E, repeat each Other, OptionalToOne<P>>(repository, joined(P.self, isOptional: true, condition))
    }

    private func joined<P: RegisteredEntity>(
        _ other: P.Type, isOptional: Bool,
        _ condition: (ColumnRef<E>, repeat each Other, ColumnRef<P>) -> Predicate
    ) -> QueryPlan {
        var plan = plan.left()
        let (row, others) = JoinedQuery.rows(&plan)
        return plan.joined(
            to: Join(RecordTable(P.Record.self).source, isOptional: isOptional) {
                result(of: condition, row, repeat each others, ColumnRef<P>($0)).node
            })
    }

    /// What a function returns. Swift calls none that has a parameter behind a pack of some.
    private func result<each A, R>(of function: (repeat each A) -> R, _ arguments: repeat each A) -> R {
        function(repeat each arguments)
    }
}
