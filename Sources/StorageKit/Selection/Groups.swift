public import StorageRepo

/// Rows that have the same values of some keys, put together: what `group` of a ``Query`` returns. Each step returns a new
/// value.
///
/// ```swift
/// storage.query(User.self).group(by: \.city)
///     .having { $0.count() > 1 }
///     .orderBy({ $0.max(\.age) }, .descending)
///     .select { ($0.city, $0.count(), $0.max(\.age)) }
/// // SELECT "city", COUNT(*), MAX("age") FROM "users" GROUP BY "city" HAVING COUNT(*) > 1 ORDER BY MAX("age") DESC
/// ```
///
/// In its closures `$0.city` is a key by its own name. A column that is neither a key, nor settled by one as the columns of `$0.list` are
/// where `listId` is a key, nor inside an aggregate has no one value: the call that asks then throws
/// ``StorageError/queryFailed(sql:underlying:)``, which names it. Behind a join each closure is given the rows of each table.
public struct Groups<E: RegisteredEntity, Given>: ClosureQuery {
    /// What is asked so far, and of which store.
    public var _question: _Question<E>
    private let rows: @Sendable ([ColumnPlace]) -> Given

    /// - Parameter keys: None where all rows are one group.
    init<Q: TableQuery>(_ query: Q, by keys: [ExpressionNode]) where Q.E == E, Q.Grouped == Given {
        _question = _Question(query.repository, query.plan.grouped(by: keys))
        rows = Q._grouped
    }

    /// What stands for the rows of a group.
    public func _given(_ places: [ColumnPlace]) -> Given { rows(places) }

    /// Keeps the groups that meet a condition, and all conditions added before. After a limit or an offset it asks the groups that
    /// those leave.
    ///
    /// - Parameter predicate: Builds the condition from keys and aggregates; nil is false.
    public func having(_ predicate: (Given) -> any PredicateConvertible) -> Groups {
        changing { plan in
            plan = plan.remainingGroups()
            plan.add(having: made(in: &plan) { predicate($0).predicate.node })
        }
    }
}

// MARK: - Keys by their key paths

extension Groups {
    /// Sorts the groups by a key, after those named before.
    ///
    /// - Parameters:
    ///   - column: The key.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand; nil leaves them first when ascending and last when descending.
    public func orderBy<R, T>(
        _ column: KeyPath<ColumnRef<R>, Column<T>>, _ order: SortOrder = .ascending, nulls: NullsOrder? = nil
    ) -> Groups where Given == Rows<R> {
        orderBy({ $0[dynamicMember: column] }, order, nulls: nulls)
    }

    /// Asks for one key.
    ///
    /// - Parameter column: The key.
    public func select<R, T: Sendable>(_ column: KeyPath<ColumnRef<R>, Column<T>>) -> Selection<E, T>
    where Given == Rows<R> {
        selecting { $0[dynamicMember: column]._selected }
    }
}

extension [ExpressionNode] {
    /// The expressions that a closure makes.
    static func of<Given, each K>(_ given: Given, _ keys: (Given) -> (repeat Column<each K>)) -> [ExpressionNode] {
        let columns = keys(given)
        var nodes: [ExpressionNode] = []
        for column in repeat each columns { nodes.append(column.node) }
        return nodes
    }
}
