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

    /// Asks something more of the rows that a limit and an offset leave, where there are such.
    func changingLeft(_ change: (inout QueryPlan) -> Void) -> Self {
        changing { plan in
            plan = plan.left()
            change(&plan)
        }
    }

    /// Adds a condition. After a limit or an offset it asks the rows that those leave.
    func filtered(_ condition: (inout QueryPlan) -> ExpressionNode) -> Self {
        changingLeft { $0.add(condition(&$0)) }
    }
}
