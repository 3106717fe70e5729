extension QueryPlan {
    /// The rows that are left after a limit and an offset, in their order, for a step that asks those alone.
    package func remaining() -> QueryPlan {
        guard limit != nil || offset != nil else { return self }
        if table.rows != nil { return remainingOfRows() }
        var plan = QueryPlan(table, standingFor: sources, search: search)
        plan.joins = joins
        plan.take(spent: order)
        plan.coders = coders
        plan.add(.isAmong(self))
        return plan
    }

    /// The same where the rows are those of a query, and have no table in which they could be found again.
    private func remainingOfRows() -> QueryPlan {
        var rows = self
        rows.selection = table.columns.map { .column($0.name, of: nil) }
        let left = SourceTable(
            name: table.name, columns: table.columns.map(\.name), idColumn: table.idColumn, of: rows)
        var plan = QueryPlan(left, standingFor: sources, search: nil)
        plan.take(spent: order)
        plan.coders = coders
        return plan
    }

    /// Sorts as before the limit, for as long as that is an order of the rows.
    private mutating func take(spent order: [OrderTerm]) {
        self.order = order
        for index in order.indices { self.order[index].isSpent = true }
    }

    /// The same of groups.
    package func remainingGroups() -> QueryPlan {
        guard limit != nil || offset != nil else { return self }
        var plan = self
        (plan.limit, plan.offset) = (nil, nil)
        plan.take(spent: order)
        plan.add(having: .isAmong(self))
        return plan
    }

    /// The rows that are left, each beside those rows of another table that a condition names.
    package func joined(to join: Join) -> QueryPlan {
        var plan = remaining()
        plan.joins.append(join)
        plan.refuseUnclearColumns(in: [join.condition])
        return plan
    }

    /// The rows that are left, to be put together: their ranks are nobody's any more.
    ///
    /// - Parameter keys: What the rows of a group have in common; none where all are one group.
    package func grouped(by keys: [ExpressionNode]) -> QueryPlan {
        var plan = remaining().unranked()
        // An order that said which rows are left has done its work, and one row has none.
        plan.order = keys.isEmpty ? [] : plan.order.filter { !$0.isSpent }
        plan.groupKeys = keys
        return plan
    }

    /// The different ones of the selected rows that are left.
    package func distinct() -> QueryPlan {
        guard !isDistinct else { return self }
        var plan = self
        if groupKeys == nil {
            plan = remaining()
            plan.selection = selection
            // Equal rows may have different ranks.
            if plan.order.isEmpty { plan = plan.unranked() }
        } else {
            plan = remainingGroups()
        }
        // An order that said which rows are left has done its work, as far as it is not of what is selected.
        plan.order = plan.order.filter { !$0.isSpent || plan.selects($0) }
        plan.isDistinct = true
        return plan
    }

    /// Whether it is sorted by what is selected, or by what cannot be: that is an error where it is asked.
    private func selects(_ term: OrderTerm) -> Bool {
        guard let text = try? sql(of: term.expression.withoutSpelling) else { return true }
        return (selection ?? []).contains { (try? sql(of: $0)) == text }
    }

    /// Groups must meet this condition too.
    package mutating func add(having condition: ExpressionNode) {
        having = having.map { .and($0, condition) } ?? condition
    }

    /// Rows, or groups where rows are grouped, must meet this condition too.
    package mutating func add(selected condition: ExpressionNode) {
        if groupKeys == nil { add(condition) } else { add(having: condition) }
    }

    /// What no two of the selected rows have in common.
    package var identity: [ExpressionNode] {
        isDistinct ? selection ?? rowKey : groupKeys ?? rowKey
    }

    /// Whether its rows are known by values that rows of a table have in common, and not by ids.
    package var isKnownByValues: Bool { isDistinct || groupKeys != nil || table.rows?.isKnownByValues == true }

    /// The same in an order that takes a date in two spellings for one where equal rows are one.
    package func orderedByValues() throws -> QueryPlan {
        var plan = self
        plan.order = try order.map { term in
            guard try isSharedDate(term.expression, written: sql) else { return term }
            return OrderTerm(.comparedDate(term.expression), term.order, nulls: term.nulls)
        }
        return plan
    }

    /// Whether it is a date that the rows of a group, or equal rows that count once, have in common, in whatever spelling.
    ///
    /// - Parameter written: Writes an expression, for comparing it with others.
    func isSharedDate(
        _ node: ExpressionNode, written: (ExpressionNode) throws -> LoweredQuery
    ) throws -> Bool {
        guard isDistinct || groupKeys != nil, try form(of: node).isDate else { return false }
        let text = try written(node)
        return try identity.contains { try written($0) == text }
    }

    /// The same with groups that are alike to the order in that of their keys.
    package func sortingGroups() throws -> QueryPlan {
        guard groupKeys != nil, !isDistinct else { return self }
        var plan = self
        for key in try missingOrder() { plan.sort(by: key, .ascending) }
        return plan
    }

    /// What else has to be sorted by, so that no two of the selected rows are alike.
    package func missingOrder() throws -> [ExpressionNode] {
        let known = try effectiveOrder.map { try sql(of: $0.expression) }
        let isOfValues = isDistinct || groupKeys != nil
        // Two spellings of one decimal are two ids.
        let whole = try identity.flatMap {
            try !isOfValues && form(of: $0).isDecimal ? [$0, .cast($0, to: .text)] : [$0]
        }
        return try whole.filter { try !known.contains(sql(of: $0)) }
    }
}

extension ExpressionNode {
    /// The date itself, if it is one in the spelling in which it is compared.
    package var withoutSpelling: ExpressionNode {
        if case .comparedDate(let node) = self { node } else { self }
    }
}
