/// Rows that refer to rows of a plan, or are referred to: what a relation gives them is read for all of them at once.
package struct ParentRows: Sendable {
    /// What each has that its children know it by, no two the same.
    package let keys: [StoredValue]
    /// The column of the children that has one of those, or what a link gives for it.
    let column: String
    /// A table whose rows have the keys of a parent and of a child.
    let link: (table: SourceTable, from: String, to: String)?

    package init(_ keys: [StoredValue], column: String, link: (table: SourceTable, from: String, to: String)? = nil) {
        self.keys = keys
        self.column = column
        self.link = link
    }

    static let name = "\"storagekit_parents\""
    /// Which of the keys it is.
    static let position = "\(name).\"key\""
}

extension QueryPlan {
    /// The SELECT of the rows that the plan asks for among the children of some rows: all columns, and behind them the position of
    /// the parent's key. A limit and an offset are those of each parent. Rows that are alike to the order come by id.
    package func childrenSQL(of parents: ParentRows) throws -> LoweredQuery {
        var plan = self
        plan.parents = parents
        plan.order = effectiveOrder
        if !plan.order.contains(where: { plan.ownColumn($0.expression) == table.idColumn }) {
            plan.sort(by: table.idColumn, .ascending)
        }
        guard limit != nil || offset != nil else {
            return try written { printer in
                try printer.append(select: plan) { $0.append("\($0.allColumns), \(ParentRows.position)") }
            }
        }
        return try plan.windowedChildrenSQL()
    }

    /// The same with the number that each row has among the children of its parent.
    private func windowedChildrenSQL() throws -> LoweredQuery {
        guard limit ?? 0 >= 0, offset ?? 0 >= 0 else {
            throw StorageError.invalidQuery("limit and offset must not be negative")
        }
        var numbered = self
        numbered.order = []
        numbered.limit = nil
        numbered.offset = nil
        let (parent, number) = ("\"storagekit_parent\"", "\"storagekit_number\"")
        return try written { printer in
            printer.append("SELECT \(table.selectList), \(parent) FROM (")
            try printer.append(select: numbered) { printer in
                printer.append("\(printer.allColumns), \(ParentRows.position) AS \(parent), ")
                printer.append("ROW_NUMBER() OVER (PARTITION BY \(ParentRows.position)")
                try printer.append(orderOf: self, rowid: nil)
                printer.append(") AS \(number)")
            }
            printer.append(")")
            let first = Int64(offset ?? 0)
            if let offset {
                printer.append(" WHERE \(number) > ")
                try printer.append(value: .integer(Int64(offset)))
            }
            if let limit {
                printer.append(offset == nil ? " WHERE \(number) <= " : " AND \(number) <= ")
                try printer.append(value: .integer(first.addingReportingOverflow(Int64(limit)).partialValue))
            }
            printer.append(" ORDER BY \(number)")
        }
    }
}

extension SQLPrinter {
    /// Writes the join of a plan's table with the keys of the rows whose children are asked for.
    ///
    /// The keys are one argument, so that the statement is the same for any number of them.
    mutating func append(_ parents: ParentRows, of table: SourceTable) throws {
        append(" JOIN ")
        if let link = parents.link {
            let name = "\"storagekit_links\""
            let from = try link.table.column(link.from).quotedName
            let to = try link.table.column(link.to).quotedName
            // Two rows of a link that say the same count once.
            append("(SELECT DISTINCT \"keys\".\"key\", \(name).\(to) AS \"value\" FROM ")
            query.append(keys: parents.keys)
            append(" AS \"keys\" JOIN \(link.table.quotedName) \(name) ON \(name).\(from) = \"keys\".\"value\")")
        } else {
            query.append(keys: parents.keys)
        }
        let column = try table.column(parents.column).quotedName
        append(" AS \(ParentRows.name) ON \(rows[0].name).\(column) = \(ParentRows.name).\"value\"")
    }
}
