public import StorageRepo

/// A question that is put together step by step, each of which returns a new one: a ``Query``, a ``Selection``, ``Groups`` and so on.
///
/// Conformed to by StorageKit's types.
public protocol PlannedQuery<E>: Sendable {
    /// The entity whose table is asked first.
    associatedtype E: RegisteredEntity

    /// What is asked so far, and of which store.
    var _question: _Question<E> { get set }
}

/// What is asked so far, and of which store.
public struct _Question<E: RegisteredEntity>: Sendable {
    let repository: GenericRepository<E, E.Record>
    var plan: QueryPlan
    /// The relations that are filled in the entities.
    var loaded = LoadedPaths()

    init(_ repository: GenericRepository<E, E.Record>, _ plan: QueryPlan) {
        self.repository = repository
        self.plan = plan
    }
}

extension PlannedQuery {
    /// Returns at most so many rows, or groups.
    ///
    /// What follows, as a condition, a search or a selection's `distinct`, asks of the rows that are left. An order that follows is the
    /// question's all the same, and says which rows are left; of several limits the last one counts.
    ///
    /// - Parameter n: The number; the call that asks throws if it is negative.
    public func limit(_ n: Int) -> Self {
        changing { $0.limit = n }
    }

    /// Passes over the first rows, or groups. It works without ``limit(_:)`` too.
    ///
    /// - Parameter n: The number; the call that asks throws if it is negative.
    public func offset(_ n: Int) -> Self {
        changing { $0.offset = n }
    }

    /// The first of what is asked for.
    var one: Self { limit(Swift.min(plan.limit ?? 1, 1)) }

    package var repository: GenericRepository<E, E.Record> { _question.repository }

    package var plan: QueryPlan { _question.plan }

    func changing(_ change: (inout QueryPlan) -> Void) -> Self {
        var query = self
        change(&query._question.plan)
        return query
    }

    /// Asks something more of the rows that a limit and an offset leave, where there are such.
    func changingRemaining(_ change: (inout QueryPlan) -> Void) -> Self {
        changing { plan in
            plan = plan.remaining()
            change(&plan)
        }
    }
}
