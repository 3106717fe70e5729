// What stands in a SELECT of groups, or of different rows. SQLite takes any column there, and then gives that of some row.

extension SQLPrinter {
    /// Refuses what is nested too deep, what has not one value for each group, and an order by what is not selected where equal rows count once.
    ///
    /// - Throws: `StorageError.queryFailed` that names the column.
    func check(_ plan: QueryPlan, isOrdered: Bool) throws {
        let order = isOrdered ? plan.effectiveOrder.map(\.expression) : []
        let made = (plan.selection ?? []) + (plan.having.map { [$0] } ?? []) + order
        for expression in made + (plan.groupKeys ?? []) { try expression.checkNesting() }
        if let keys = plan.groupKeys {
            let group = GroupCheck(plan: plan, keys: try keys.map(text), printer: self)
            for expression in made { try group.check(expression) }
        }
        if plan.isDistinct, let selection = plan.selection {
            let selected = try selection.map(text)
            for expression in order where try !selected.contains(text(of: expression.withoutSpelling)) {
                let name = expression.columnName.map { "by '\($0)'" } ?? "by something"
                throw StorageError.invalidQuery("different rows cannot be sorted \(name) that is not selected")
            }
        }
    }

    /// An expression as it would be written here first, for comparing it with others.
    func text(of node: ExpressionNode) throws -> LoweredQuery {
        var printer = self
        printer.namesWholeWays = true
        return try printer.piece { try $0.append(value: node) }
    }
}

/// What may stand beside the keys of groups.
private struct GroupCheck {
    let plan: QueryPlan
    let keys: [LoweredQuery]
    let printer: SQLPrinter

    /// Whether a key is made of conditions. Only then a chain of AND or OR may be a key itself, so that each level of it has to be
    /// compared with the keys.
    private var hasChains: Bool {
        plan.groupKeys?.contains { $0.conjuncts != nil || $0.disjuncts != nil } == true
    }

    /// Refuses a column that is neither a key, nor settled by one, nor inside an aggregate.
    func check(_ node: ExpressionNode) throws {
        switch node {
        case .aggregate, .constant: return
        case .column(let name, let source): try check(column: name, of: source)
        case .exists(let inner), .scalar(let inner):
            if try !isKey(node) { try check(queryInside: inner) }
        case .isInQuery(let value, let inner):
            if try isKey(node) { return }
            try check(value)
            try check(queryInside: inner)
        case .sql(let pieces, _):
            if try isKey(node) { return }
            for part in pieces.outsideOfAggregates { try check(part) }
        case .and where !hasChains: for part in node.operands(\.conjuncts) { try check(part) }
        case .or where !hasChains: for part in node.operands(\.disjuncts) { try check(part) }
        default:
            if try isKey(node) { return }
            for part in node.parts { try check(part) }
        }
    }

    // Not inlined: each place that asks would have a copy of how the printer is copied.
    @inline(never)
    private func isKey(_ node: ExpressionNode) throws -> Bool {
        try keys.contains(printer.text(of: node))
    }

    private func check(column: String, of source: Source?) throws {
        guard source.map({ isOfGroup($0) }) ?? true, try !isKey(.column(column, of: source)), try !isSettled(source)
        else {
            return
        }
        throw StorageError.invalidQuery(
            "'\(column)' is neither a key of the groups nor inside an aggregate, so that a group has no one value of it"
        )
    }

    /// Whether the rows of a group have one row there in common: an id is a key, or what refers to the row.
    private func isSettled(_ source: Source?) throws -> Bool {
        guard let source, let path = source.path else {
            let id = (source?.table ?? plan.table).idColumn
            return try !id.isEmpty && isKey(.column(id, of: source))
        }
        return try isKey(.column(source.table.idColumn, of: source)) || isKey(.column(path.step.key, of: path.from))
            || isSettled(path.from)
    }

    /// Whether it begins at the rows that are grouped, and not at those of a query around, nor of one inside: that may be of the same
    /// rows, and then they are the inner one's.
    private func isOfGroup(_ source: Source, inside plans: [QueryPlan] = []) -> Bool {
        source.root.map { root in plan.hasRows(of: root) && !plans.contains { $0.hasRows(of: root) } } ?? true
    }

    /// A query inside may use keys of the group, columns that they settle, and aggregates.
    private func check(queryInside inner: QueryPlan, _ around: [QueryPlan] = []) throws {
        let plans = around + [inner]
        var waiting = inner.expressions
        while let node = waiting.popLast() {
            switch node {
            case .column(let name, let source?):
                // One that begins nowhere is of the query inside.
                if let root = source.root, isOfGroup(root, inside: plans) { try check(column: name, of: source) }
            case .aggregate(let aggregate) where aggregate.rows.map { isOfGroup($0, inside: plans) } == true: break
            case .exists(let plan), .scalar(let plan), .isAmong(let plan): try check(queryInside: plan, plans)
            case .isInQuery(let value, let plan):
                try check(queryInside: plan, plans)
                waiting.append(value)
            default: if try !isKeyInside(node, plans) { waiting += node.parts }
            }
        }
    }

    /// Whether it is made of columns of the group alone, as a key is. What a query inside has of its own cannot be written here.
    private func isKeyInside(_ node: ExpressionNode, _ plans: [QueryPlan]) throws -> Bool {
        var isOfColumns = false
        let isForeign = node.contains { part in
            switch part {
            case .column(_, let source):
                isOfColumns = true
                return source?.root.map { isOfGroup($0, inside: plans) } != true
            case .exists, .scalar, .isAmong, .isInQuery, .isHit, .rank, .invalid: return true
            default: return false
            }
        }
        return try isOfColumns && !isForeign && isKey(node)
    }
}

extension QueryPlan {
    /// Whether a source stands for rows of it.
    func hasRows(of root: Source) -> Bool {
        sources.contains(root) || joins.contains { $0.closures.contains(root) }
    }
}

extension ExpressionNode {
    fileprivate var parts: [ExpressionNode] {
        var parts: [ExpressionNode] = []
        forEachPart { parts.append($0) }
        return parts
    }
}
