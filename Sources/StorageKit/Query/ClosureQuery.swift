/// A question of which closures say more: to rows, as a ``TableQuery``, or to ``Groups`` of them.
///
/// Conformed to by StorageKit's types.
public protocol ClosureQuery: PlannedQuery {
    /// What the closures are given: the columns of a row, or of one of each table, or the rows of a group.
    associatedtype Given

    /// What stands for a row, or for those of a group.
    func _given(_ places: [ColumnPlace]) -> Given
}

extension ClosureQuery {
    /// Sorts by an expression, after those named before.
    ///
    /// ```swift
    /// storage.query(User.self).orderBy({ $0.weight / $0.height }, .descending)
    /// // ORDER BY "weight" / "height" DESC
    /// ```
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand; nil leaves them first when ascending and last when descending.
    public func orderBy<T>(
        _ expression: (Given) -> Column<T>, _ order: SortOrder = .ascending, nulls: NullsOrder? = nil
    ) -> Self {
        changing { plan in plan.sort(by: made(in: &plan) { expression($0).node }, order, nulls: nulls) }
    }

    /// What a closure makes of the rows, refused where nobody knows whose column it names.
    func made(in plan: inout QueryPlan, _ make: (Given) -> ExpressionNode) -> ExpressionNode {
        let node = make(given(&plan))
        plan.refuseUnclearColumns(in: [node])
        return node
    }

    /// What the closure that builds the next part of a plan is given.
    func given(_ plan: inout QueryPlan) -> Given {
        _given(plan.newSources().map(ColumnPlace.init))
    }
}
