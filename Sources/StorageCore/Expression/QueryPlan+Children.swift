/// The rows whose related rows a plan asks for: their keys, and the column or the link by which a related row is found. All of them
/// are read at once.
package final class ParentRows: Sendable {
    /// What each has that its children know it by, no two the same.
    package let keys: [StoredValue]
    /// The column of the children that has one of those, or what a link gives for it.
    let column: String
    /// A table whose rows have the keys of a parent and of a child.
    let link: (table: SourceTable, from: String, to: String)?
    /// How the parents compare the texts of their keys, where what refers to them does it otherwise.
    let collation: String?
    /// How the children compare theirs, where a link does it otherwise.
    let childCollation: String?

    package init(
        _ keys: [StoredValue], column: String, link: (table: SourceTable, from: String, to: String)? = nil,
        collation: String? = nil, childCollation: String? = nil
    ) {
        self.keys = keys
        self.column = column
        self.link = link
        self.collation = collation
        self.childCollation = childCollation
    }

    static let name = "\"storagekit_parents\""
    /// Which of the keys it is.
    static let position = "\(name).\"key\""
    /// The same beside a child whose number is known.
    static let parent = "\"storagekit_parent\""
    /// The number of a child among those of its parent.
    static let number = "\"storagekit_number\""
}

extension QueryPlan {
    /// The SELECT of the rows that the plan asks for among the children of some rows: all columns, and behind them the position of
    /// the parent's key. A limit and an offset are those of each parent. Rows that are alike to the order come by id.
    package func childrenSQL(of parents: ParentRows) throws -> LoweredQuery {
        let plan = among(parents)
        return try written { printer in
            guard limit != nil || offset != nil else {
                return try printer.append(select: plan) { $0.append("\($0.allColumns), \(ParentRows.position)") }
            }
            try printer.append(numbered: plan, selecting: table.selectList)
            printer.append(" ORDER BY \(ParentRows.number)")
        }
    }

    /// The same for the children of some rows. A step behind a limit asks the rows that it left of each parent.
    private func among(_ parents: ParentRows) -> QueryPlan {
        var plan = self
        plan.parents = parents
        plan.order = effectiveOrder
        if !plan.order.contains(where: { plan.ownColumn($0.expression) == table.idColumn }) {
            plan.sort(by: table.idColumn, .ascending)
        }
        let conditions = filter?.operands(\.conjuncts) ?? []
        if case .isAmong(let earlier)? = conditions.first {
            plan.filter = conditions.dropFirst().reduce(.isAmong(earlier.among(parents))) { .and($0, $1) }
        }
        return plan
    }
}

extension SQLPrinter {
    /// Writes the SELECT of the children that a limit leaves of each parent, with the position of the parent's key behind.
    ///
    /// - Parameters:
    ///   - plan: The plan, of the children of some rows.
    ///   - columns: What is selected of a child.
    mutating func append(numbered plan: QueryPlan, selecting columns: String) throws {
        try plan.checkRange()
        var all = plan
        all.order = []
        all.limit = nil
        all.offset = nil
        append("SELECT \(columns), \(ParentRows.parent) FROM (")
        try append(select: all) { printer in
            printer.append("\(printer.allColumns), \(ParentRows.position) AS \(ParentRows.parent), ")
            printer.append("ROW_NUMBER() OVER (PARTITION BY \(ParentRows.position)")
            try printer.append(orderOf: plan, rowid: nil)
            printer.append(") AS \(ParentRows.number)")
        }
        append(")")
        let first = Int64(plan.offset ?? 0)
        if plan.offset != nil {
            append(" WHERE \(ParentRows.number) > ")
            append(value: .integer(first))
        }
        if let limit = plan.limit {
            append(plan.offset == nil ? " WHERE \(ParentRows.number) <= " : " AND \(ParentRows.number) <= ")
            let (last, isBeyond) = first.addingReportingOverflow(Int64(limit))
            append(value: .integer(isBeyond ? .max : last))
        }
    }

    /// Writes the keys of the rows whose children are asked for.
    ///
    /// They are one argument, so that the statement is the same for any number of them.
    mutating func append(keysOf parents: ParentRows) throws {
        if let link = parents.link {
            let name = "\"storagekit_links\""
            let from = try link.table.column(link.from).quotedName
            let to = try link.table.column(link.to).quotedName
            // Two rows of a link that say the same count once.
            let value = "\(name).\(to)\(collated(parents.childCollation))"
            append("(SELECT DISTINCT \"keys\".\"key\", \(value) AS \"value\" FROM ")
            query.append(keys: parents.keys)
            append(" AS \"keys\" JOIN \(link.table.quotedName) \(name) ON \(name).\(from) = \"keys\".\"value\"")
            append("\(collated(parents.collation)))")
        } else {
            query.append(keys: parents.keys)
        }
        append(" AS \(ParentRows.name)")
    }

    /// Writes which rows of a table are the children.
    mutating func append(childrenOf parents: ParentRows, in table: SourceTable) throws {
        let column = try table.column(parents.column).quotedName
        append(" ON ")
        appendFindingFew { printer in
            printer.append("\(printer.rows[0].name).\(column) = \(ParentRows.name).\"value\"")
            if parents.link == nil { printer.append(printer.collated(parents.collation)) }
        }
    }

    private func collated(_ collation: String?) -> String { collation.map { " COLLATE \($0.quotedIdentifier)" } ?? "" }
}
