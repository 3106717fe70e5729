/// A question that is put together step by step, each of which returns a new one.
protocol PlannedQuery {
    var plan: QueryPlan { get set }
}

extension PlannedQuery {
    func changing(_ change: (inout QueryPlan) -> Void) -> Self {
        var query = self
        change(&query.plan)
        return query
    }

    /// Adds a condition. After a limit or an offset it asks the rows that those leave.
    func filtered(_ condition: (inout QueryPlan) -> ExpressionNode) -> Self {
        changing { plan in
            plan = plan.left()
            plan.add(condition(&plan))
        }
    }
}
