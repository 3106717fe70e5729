extension SQLPrinter {
    /// Writes the SELECT of what a plan selects.
    ///
    /// - Parameter rowid: What to select behind it, and to sort rows by that are alike to the order.
    mutating func append(select plan: QueryPlan, rowid: String? = nil) throws {
        try append(select: plan, rowid: rowid) { printer in
            if let selection = plan.selection {
                try printer.append(selection, of: plan) { printer, expression in
                    // Equal values count once, in whatever spelling.
                    if plan.isDistinct {
                        try printer.append(key: expression)
                    } else if printer.isOutermost {
                        try printer.append(read: expression, isOfGroup: plan.groupKeys != nil)
                    } else {
                        try printer.append(value: expression)
                    }
                }
            } else {
                printer.append(printer.allColumns)
            }
            if let rowid { printer.append(", " + printer.qualified(rowid)) }
        }
    }

    /// Writes what a plan selects. SQLite makes one row of all only where it sees an aggregate of them.
    mutating func append(
        _ selection: [ExpressionNode], of plan: QueryPlan,
        _ write: (inout SQLPrinter, ExpressionNode) throws -> Void
    ) throws {
        guard plan.groupKeys?.isEmpty == true, !selection.contains(where: { $0.contains(where: plan.isOwnAggregate) })
        else { return try append(each: selection, write) }
        try append(each: zip(0..., selection)) { printer, selected in
            if selected.0 == 0 { printer.append("CASE WHEN COUNT(*) >= 0 THEN ") }
            try write(&printer, selected.1)
            if selected.0 == 0 { printer.append(" END") }
        }
    }

    /// Writes the SELECT of a query of which only the first row is read. SQLite ignores DISTINCT there, so that an offset would count equal
    /// rows.
    mutating func append(lookedInto plan: QueryPlan) throws {
        let isNested = plan.isDistinct && plan.offset != nil
        if isNested { append("SELECT * FROM (") }
        try append(select: plan)
        if isNested { append(")") }
    }

    /// Writes a SELECT of the rows that a plan asks for.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - passage: What the search is to give of the text that it found.
    ///   - rowid: What sorts rows that are alike to the order.
    ///   - isOrdered: Whether the order matters.
    ///   - isQualified: Whether columns have to say whose they are.
    ///   - writeList: Writes what is selected.
    mutating func append(
        select plan: QueryPlan, passage: SearchPassage? = nil, rowid: String? = nil, isOrdered: Bool = true,
        isQualified: Bool = false, _ writeList: (inout SQLPrinter) throws -> Void
    ) throws {
        try within(plan, isQualified: isQualified) { printer in
            try printer.check(plan, isOrdered: isOrdered)
            let list = try printer.piece(writeList)
            let rest = try printer.piece { printer in
                try printer.append(filterOf: plan)
                try printer.append(groupsOf: plan)
                if isOrdered { try printer.append(orderOf: plan, rowid: rowid) }
                try printer.append(limitOf: plan)
            }
            printer.append(plan.isDistinct ? "SELECT DISTINCT " : "SELECT ")
            printer.query.append(list)
            // Behind all that follows paths: only then it is known whose rows are needed.
            try printer.append(rowsOf: plan, passage: passage)
            printer.query.append(rest)
        }
    }

    private mutating func append(rowsOf plan: QueryPlan, passage: SearchPassage?) throws {
        append(" FROM ")
        let rows = rows
        // A search has to come first, so that it is asked once.
        if let parents = plan.parents, plan.search == nil {
            try append(keysOf: parents)
            append(" CROSS JOIN ")
        }
        if let search = plan.search {
            try append(hitsOf: search, in: rows[0], passage: passage)
        } else if let inner = plan.table.rows {
            try append(rows: inner, of: plan.table, withHiddenColumns: namesHiddenColumns)
            append(" \(rows[0].name)")
        } else {
            append(rows[0].declaration)
        }
        if let parents = plan.parents {
            if plan.search != nil {
                append(" JOIN ")
                try append(keysOf: parents)
            }
            try append(childrenOf: parents, in: plan.table)
        }
        try append(joinsOf: plan)
    }

    private mutating func append(joinsOf plan: QueryPlan) throws {
        // A condition of a join may follow paths, to rows that then stand before it.
        let conditions = try plan.joins.map { join in
            try piece { try $0.append(condition: join.condition.followedByParser()) }
        }
        try append(rowsBehind: 0)
        for (position, condition) in conditions.enumerated() {
            let (join, joined) = (plan.joins[position], rows[position + 1])
            let behind = try piece { try $0.append(rowsBehind: position + 1) }
            // SQLite knows in the condition of a LEFT JOIN only what stands before it; in parentheses a single table loses its name.
            let isNested = join.isOptional && join.followsOwnPaths && !behind.sql.isEmpty
            append(join.isOptional ? " LEFT JOIN " : " JOIN ")
            append(isNested ? "(\(joined.declaration)" : joined.declaration)
            if isNested {
                query.append(behind)
                append(")")
            }
            append(" ON ")
            query.append(condition)
            if !isNested { query.append(behind) }
        }
    }

    /// Writes a query whose rows another asks, each value under its name.
    ///
    /// - Parameter withHiddenColumns: Whether what tells the rows apart is asked for too.
    private mutating func append(rows plan: QueryPlan, of table: SourceTable, withHiddenColumns: Bool) throws {
        append("(")
        // In an order SQLite takes a name for that of a value that is selected before it takes it for a column's.
        try append(select: plan, isQualified: !plan.effectiveOrder.isEmpty) { printer in
            try printer.append(each: zip(plan.selection ?? [], table.columns)) { printer, selected in
                let (node, column) = selected
                if plan.isDistinct {
                    try printer.append(key: node)
                } else {
                    try printer.append(value: node.withoutCollation)
                }
                printer.append(" AS \(column.quotedName)")
            }
            guard withHiddenColumns else { return }
            for (column, value) in table.hiddenColumns {
                printer.append(", ")
                try printer.append(key: value)
                printer.append(" AS \(column.quotedName)")
            }
        }
        append(")")
    }

    /// Writes the rows to which paths lead from other rows.
    private mutating func append(rowsBehind start: Int) throws {
        let rows = rows
        var reached: Set<Int> = [start]
        for (place, joined) in rows.enumerated() {
            if let whole = joined.part?.of, reached.contains(whole) { reached.insert(place) }
            guard let (from, step) = joined.path, reached.contains(from) else { continue }
            reached.insert(place)
            let id = try joined.table.column(joined.table.idColumn).quotedName
            let key = try rows[from].table.column(step.key).quotedName
            append(joined.isOptional ? " LEFT JOIN " : " JOIN ")
            append("\(joined.declaration) ON \(joined.name).\(id) = \(rows[from].name).\(key)")
        }
    }

    mutating func append(filterOf plan: QueryPlan) throws {
        guard let filter = try plan.filter?.followedByParser() else { return }
        append(" WHERE ")
        try append(condition: filter)
        try note(neededBy: filter)
    }

    private mutating func append(groupsOf plan: QueryPlan) throws {
        for (position, key) in (plan.groupKeys ?? []).enumerated() {
            append(position == 0 ? " GROUP BY " : ", ")
            try append(key: key)
        }
        guard let having = try plan.having?.followedByParser() else { return }
        append(" HAVING ")
        try append(condition: having)
    }

    /// Writes something that rows have in common, be it a date in two spellings.
    mutating func append(key node: ExpressionNode) throws {
        if try form(of: node).isDate {
            try append(comparable: node, isDate: true)
        } else {
            try append(sorted: node)
        }
    }

    mutating func append(orderOf plan: QueryPlan, rowid: String?) throws {
        let order = plan.effectiveOrder
        for (position, term) in order.enumerated() {
            append(position == 0 ? " ORDER BY " : ", ")
            // SQLite sees no column there that an index is on.
            if term.sortsRows { append("+") }
            if try plan.isSharedDate(term.expression, written: text) {
                try append(key: term.expression)
            } else {
                try append(sorted: term.expression)
            }
            append(term.order == .ascending ? " ASC" : " DESC")
            switch term.nulls {
            case .first: append(" NULLS FIRST")
            case .last: append(" NULLS LAST")
            case nil: break
            }
        }
        if let rowid { append((order.isEmpty ? " ORDER BY " : ", ") + qualified(rowid)) }
    }

    private mutating func append(limitOf plan: QueryPlan) throws {
        try plan.checkRange()
        guard plan.limit != nil || plan.offset != nil else { return }
        // SQLite knows OFFSET only after LIMIT; -1 is its word for no limit.
        append(" LIMIT ")
        append(value: .integer(Int64(plan.limit ?? -1)))
        guard let offset = plan.offset else { return }
        append(" OFFSET ")
        append(value: .integer(Int64(offset)))
    }
}

extension QueryPlan {
    /// Whether it is an aggregate of the rows themselves, and not of those of a query around.
    fileprivate func isOwnAggregate(_ node: ExpressionNode) -> Bool {
        guard case .aggregate(let aggregate) = node else { return false }
        return aggregate.rows?.root.map(hasRows) ?? true
    }
}

extension ExpressionNode {
    /// The text itself, where it is one that is to be compared by a collation: another query compares it as any other text.
    fileprivate var withoutCollation: ExpressionNode {
        if case .collated(let node, _) = self { node.withoutCollation } else { self }
    }
}
