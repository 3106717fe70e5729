extension SQLPrinter {
    /// Writes a condition as a WHERE clause takes it.
    ///
    /// Swift knows two truth values, SQL three. A condition that is NULL finds no row, which is what Swift says of a
    /// comparison with nil; only where it is negated the difference shows, and there NULL is made false first.
    ///
    /// - Throws: `StorageError.queryFailed` for an unknown column or a value that cannot be stored.
    mutating func append(condition node: ExpressionNode) throws {
        switch node {
        case .column(let name, let source):
            append(try self.name(of: name, of: source) + " = ")
            append(value: .integer(1))
        case .compare(let comparison, let left, .constant(let value, let type)):
            try append(comparison, left, value, type)
        case .compare(let comparison, let left, let right): try append(comparison, left, right)
        case .compareStored(let comparison, let node, let value): try append(stored: comparison, node, value)
        case .isKey(let key, let row): try append(key: key, of: row)
        case .isIn(let node, let values, let type, let orNull): try append(node, isIn: values, type, orNull: orNull)
        case .isInQuery(let node, let plan): try append(node, isIn: plan)
        case .isNull(let node):
            try append(operand: node)
            append(" IS NULL")
        case .isNotNull(let node):
            try append(operand: node)
            append(" IS NOT NULL")
        case .match(let match, let text, let needle, let ignoringCase):
            try append(match, text, needle, ignoringCase: ignoringCase)
        case .and: try append(chain: node.operands(\.conjuncts), "AND")
        case .or: try append(chain: node.operands(\.disjuncts), "OR")
        case .not(let operand): try append(denied: operand)
        case .exists(let plan):
            append("EXISTS (")
            try append(select: plan) { $0.append("1") }
            append(")")
        case .isAmong(let plan): try append(isAmong: plan)
        case .isHit(let search): try append(hitOf: search)
        case .sql(let pieces, _): try append(pieces)
        default: try append(value: node)
        }
    }

    private mutating func append(denied operand: ExpressionNode) throws {
        let mayBeNull = try form(of: operand).mayBeNull
        // SQLite uses an index for a comparison, and for no denial.
        if case .column = operand, !mayBeNull {
            try append(value: operand)
            append(" = ")
            return append(value: .integer(0))
        }
        append(mayBeNull ? "(" : "NOT (")
        try append(condition: operand)
        append(mayBeNull ? ") IS NOT TRUE" : ")")
    }

    /// Writes that the row is one of those that a plan asks for.
    private mutating func append(isAmong plan: QueryPlan) throws {
        if plan.parents != nil {
            let id = try name(of: plan.table.idColumn, of: nil)
            // The plus keeps SQLite from looking for each of those rows beside each parent.
            append("(+\(id), +\(ParentRows.position)) IN (")
            try append(numbered: plan, selecting: plan.table.idColumn.quotedIdentifier)
        } else {
            // Those that the innermost query joins as well.
            let joins = plan.joins.filter { join in rows.contains { $0.closures.contains(join.closures[0]) } }
            try append(keyOf: plan, joins)
            append(" IN (")
            try append(select: plan) { try $0.append(keyOf: plan, joins, isList: true) }
        }
        append(")")
    }

    /// Writes what a row is known by: its id, and those of the rows beside it; of groups, the keys.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - joins: Those of its joins that count.
    ///   - isList: Whether it is what a SELECT lists.
    private mutating func append(keyOf plan: QueryPlan, _ joins: [Join], isList: Bool = false) throws {
        let key = try piece { printer in
            if let keys = plan.groupKeys {
                try printer.append(each: keys) { try $0.append(comparedKey: $1, isOfGroup: true) }
            } else {
                try printer.append(value: plan.id)
                for join in joins {
                    printer.append(", ")
                    try printer.append(comparedKey: join.id)
                }
            }
        }
        let isPlain = isList || plan.groupKeys == nil && joins.isEmpty
        append(isPlain ? "" : "(")
        query.append(key)
        append(isPlain ? "" : ")")
    }

    /// Writes a part of a key that is compared by `IN`.
    ///
    /// `IN` never finds NULL. So a part that may be NULL is written as two values: whether it is NULL, and itself or 0.
    private mutating func append(comparedKey node: ExpressionNode, isOfGroup: Bool = false) throws {
        var value = try piece { try $0.append(key: node) }
        let form = try form(of: node)
        guard form.mayBeNull else { return query.append(value) }
        if isOfGroup, form.type == .text || form.type == nil {
            // IFNULL forgets how the column compares its texts. The spellings of a group have one that is the least.
            value = piece { printer in
                printer.append("MIN(")
                printer.query.append(value)
                printer.append(" COLLATE BINARY)")
            }
        }
        query.append(value)
        append(" IS NULL, IFNULL(")
        query.append(value)
        append(", 0)")
    }

    /// Writes `(a) AND (b) AND (c)`. A long chain is halved again and again, since SQLite refuses what is nested more
    /// than a thousand times, and takes a chain for that.
    private mutating func append(chain operands: some RandomAccessCollection<ExpressionNode>, _ word: String) throws {
        if operands.count > ExpressionNode.longestChain {
            let half = operands.count / 2
            append("(")
            try append(chain: operands.prefix(half), word)
            append(") \(word) (")
            try append(chain: operands.dropFirst(half), word)
            append(")")
            return
        }
        for (position, operand) in operands.enumerated() {
            append(position == 0 ? "(" : " \(word) (")
            if case .isKey(let key, let row) = operand {
                try appendFindingFew { try $0.append(key: key, of: row) }
            } else {
                try append(condition: operand)
            }
            append(")")
        }
    }

    private mutating func append(key: ExpressionNode, of row: ExpressionNode) throws {
        // The column on the left says how texts are compared; foreign keys compare as the row that is referred to does.
        try append(operand: row)
        append(" = ")
        try append(operand: key)
    }

    /// Writes a condition whose index SQLite is to prefer to those of the conditions beside it.
    ///
    /// Without statistics any index finds ten rows to it. By that of a reference the rows of all parents are read once in all; by one of a
    /// flag they would be read again for each parent.
    mutating func appendFindingFew(_ write: (inout SQLPrinter) throws -> Void) rethrows {
        append("likelihood(")
        try write(&self)
        append(", 0.000001)")
    }
}
