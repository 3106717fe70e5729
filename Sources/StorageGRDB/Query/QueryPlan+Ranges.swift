import StorageSQLite

// Where a list goes on.

extension QueryPlan {
    /// That a row stands behind a place of the order.
    ///
    /// - Parameters:
    ///   - keys: What the row there holds in each column of the order.
    ///   - start: How many of the columns it has in common with the row there.
    func condition(behind keys: [StoredValue], from start: Int = 0) throws -> ExpressionNode? {
        // Behind means: greater in the first column, or equal there and greater in the second, and so on.
        try zip(order, keys).dropFirst(start).reversed().reduce(nil) { rest, place in
            let (term, key) = place
            let isBehind = try term.isBehind(key, mayBeNull: mayBeNull(term.expression))
            return rest.map { .or(isBehind, .and(.compareStored(.equal, term.expression, key), $0)) } ?? isBehind
        }
    }

    /// The plans that find the rows behind a place of the order, one after the other. SQLite finds the place in an index of the first
    /// column, by a condition that stands beside the others and not within an OR; so the rows that hold NULL there are asked for alone.
    func parts(behind keys: [StoredValue]) throws -> [QueryPlan] {
        guard let first = order.first, let key = keys.first, let behind = try condition(behind: keys) else {
            return [self]
        }
        if key == .null {
            var nulls = withoutValues()
            nulls.add(selected: try condition(behind: keys, from: 1) ?? .never)
            return first.nullsFirst ? [nulls, try withValues()] : [nulls]
        }
        let mayBeNull = try mayBeNull(first.expression)
        let bound: Comparison = first.order == .ascending ? .greaterOrEqual : .lessOrEqual
        var values = order.count == 1 && !mayBeNull ? self : having(.compareStored(bound, first.expression, key))
        values.add(selected: behind)
        values.order[0] = OrderTerm(first.expression, first.order)
        return !first.nullsFirst && mayBeNull ? [values, withoutValues()] : [values]
    }

    // As ranges: one for each column of the order that rows may differ in, and one more for NULLs. A part as above would be looked at row by
    // row where many rows are alike in the first column, and reads a table once where no index serves the order.

    /// The plans that find the rows behind a place of the order, one after the other.
    ///
    /// - Parameters:
    ///   - keys: What the row there holds in each column of the order, in which no two rows are alike.
    ///   - orAt: Whether the row there is wanted too.
    func ranges(behind keys: [StoredValue], orAt: Bool) throws -> [QueryPlan] {
        var ranges: [QueryPlan] = []
        if orAt { ranges.append(range(alikeIn: order.count, keys)) }
        for (index, (term, key)) in zip(order, keys).enumerated().reversed() {
            let alike = range(alikeIn: index, keys)
            if key == .null {
                if term.nullsFirst { ranges.append(try alike.withValues()) }
                continue
            }
            let comparison: Comparison = term.order == .ascending ? .greater : .less
            ranges.append(alike.having(.compareStored(comparison, term.expression, key)))
            if try !term.nullsFirst && mayBeNull(term.expression) { ranges.append(alike.withoutValues()) }
        }
        return ranges
    }

    /// The plans that find all rows, one after the other: two where NULLs do not stand where an index has them.
    func ranges() throws -> [QueryPlan] {
        guard let first = order.first, first.nulls != nil, first.nullsFirst != (first.order == .ascending),
            try mayBeNull(first.expression)
        else { return [self] }
        let (values, nulls) = (try withValues(), withoutValues())
        return first.nullsFirst ? [nulls, values] : [values, nulls]
    }

    /// The same rows in the opposite order.
    func reversed() -> QueryPlan {
        var plan = self
        plan.order = order.map { term in
            let nulls: NullsOrder? = term.nulls.map { $0 == .first ? .last : .first }
            return OrderTerm(term.expression, term.order == .ascending ? .descending : .ascending, nulls: nulls)
        }
        return plan
    }

    /// The rows that hold those values in the first columns of the order, sorted by the others.
    private func range(alikeIn count: Int, _ keys: [StoredValue]) -> QueryPlan {
        var plan = self
        plan.order = Array(order[count...])
        return zip(order, keys).prefix(count).reduce(plan) { plan, alike in
            plan.having(.compareStored(.equal, alike.0.expression, alike.1))
        }
    }

    /// The rows that hold a value in the first column of the order.
    private func withValues() throws -> QueryPlan {
        guard let first = order.first else { return self }
        var plan = having(try leastValue(of: first) ?? .isNotNull(first.expression))
        plan.order[0] = OrderTerm(first.expression, first.order)
        return plan
    }

    /// The rows that hold NULL there.
    private func withoutValues() -> QueryPlan {
        guard let first = order.first else { return self }
        var plan = having(.isNull(first.expression))
        plan.order.removeFirst()
        return plan
    }

    /// That a column holds a value, said so that SQLite passes over the NULLs in an index that begins with them. It takes a number for
    /// less than any text; a column of texts makes a text of it.
    private func leastValue(of term: OrderTerm) throws -> ExpressionNode? {
        guard term.order == .ascending, ownColumn(term.expression) != nil else { return nil }
        let form = try form(of: term.expression)
        guard let type = form.type, !form.isDecimal else { return nil }
        let least: StoredValue = Affinity(of: type.rawValue) == .text ? .text("") : .real(-.infinity)
        return .compareStored(.greaterOrEqual, term.expression, least)
    }

    private func having(_ condition: ExpressionNode) -> QueryPlan {
        var plan = self
        plan.add(selected: condition)
        return plan
    }
}

extension QueryPlan.OrderTerm {
    fileprivate func isBehind(_ key: StoredValue, mayBeNull: Bool) -> ExpressionNode {
        if key == .null { return nullsFirst ? .isNotNull(expression) : .never }
        let isBehind = ExpressionNode.compareStored(order == .ascending ? .greater : .less, expression, key)
        return nullsFirst || !mayBeNull ? isBehind : .or(isBehind, .isNull(expression))
    }
}
