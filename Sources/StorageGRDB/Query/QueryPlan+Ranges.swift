// Where a list goes on, as ranges that SQLite finds in an index: one range for each column of the order that rows may differ in, and one
// more for NULLs. One condition for all of them, as a page has, would be looked at row by row where a column may be NULL or many rows are
// alike.

extension QueryPlan {
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
