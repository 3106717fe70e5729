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
/// `[(Reminder, Person)]`, and `[(Reminder, Person?)]` behind a `leftJoin`; `select` gives less, `group` and
/// `aggregate` put rows together. A row is known by the ids of all its entities.
public struct JoinedQuery<E: RegisteredEntity, Rows: JoinedRows>: Sendable, PlannedQuery {
    package let repository: GenericRepository<E, E.Record>
    package var plan: QueryPlan

    init(_ repository: GenericRepository<E, E.Record>, _ plan: QueryPlan) {
        self.repository = repository
        self.plan = plan
    }

    /// Keeps the rows that meet a condition, and all conditions added before. After a limit or an offset it asks the rows that
    /// those leave.
    ///
    /// - Parameter predicate: Builds the condition from the columns of all; nil is false.
    public func `where`(_ predicate: (Rows.Row) -> any PredicateConvertible) -> JoinedQuery {
        filtered { predicate(JoinedQuery.row(&$0)).predicate.node }
    }

    /// Sorts by an expression, after those named before.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand; nil leaves them first when ascending and last when descending.
    public func orderBy<T>(
        _ expression: (Rows.Row) -> Column<T>, _ order: SortOrder = .ascending,
        nulls: NullsOrder? = nil
    ) -> JoinedQuery {
        changing { $0.sort(by: expression(JoinedQuery.row(&$0)).node, order, nulls: nulls) }
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

    /// What stands for a row of each table in the closure that builds the next part of a plan.
    static func row(_ plan: inout QueryPlan) -> Rows.Row {
        Rows._row(plan.newSources().map(ColumnPlace.init))
    }
}
