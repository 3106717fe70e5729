extension QueryPlan {
    /// The UPDATE with values that other rows decide. All of them are calculated before the first row changes, since SQLite shows
    /// the rows that a statement has changed already to the subqueries in it.
    ///
    /// - Parameters:
    ///   - assignments: Columns and their new values.
    ///   - counter: A column that is counted up.
    func updateFromSQL(
        _ assignments: [(column: String, value: ExpressionNode)], counting counter: String?
    ) throws -> LoweredQuery {
        var values = self
        if limit == nil, offset == nil {
            values = unranked()
            values.order = []
        }
        let selection = [id] + assignments.map(\.value).filter { !$0.isConstant }
        values.selection = selection
        let names = selection.indices.map { "\"\(NewValue.prefix)\($0)\"" }
        let table = table.quotedName
        return try written { printer in
            printer.append("\(NewValue.table) (\(names.joined(separator: ", "))) AS MATERIALIZED (")
            // As they are stored and not as they are read, so that no integer is too great.
            try printer.append(select: values) { try $0.append(list: selection) }
            printer.append(")")
            printer.query.becomeCommonTable()
            printer.append("UPDATE \(table) SET ")
            var next = 1
            try printer.append(assignments, of: self.table, counting: counter) { printer, _ in
                printer.append(names[next])
                next += 1
            }
            printer.append(
                " FROM \(NewValue.table) WHERE \(table).\(self.table.idColumn.quotedIdentifier) = \(names[0])")
        }
    }
}

/// The names of the new values in a statement.
private enum NewValue {
    static let table = "\"storagekit_new\""
    static let prefix = "storagekit_value"
}

extension SQLPrinter {
    /// Writes columns with their new values, as SET takes them.
    ///
    /// - Parameters:
    ///   - assignments: Columns and their new values.
    ///   - table: The table.
    ///   - counter: A column that is counted up.
    ///   - writeValue: Writes a value that is no constant.
    mutating func append(
        _ assignments: [(column: String, value: ExpressionNode)], of table: SourceTable, counting counter: String?,
        _ writeValue: (inout SQLPrinter, ExpressionNode) throws -> Void
    ) throws {
        try append(each: assignments) { printer, assignment in
            try assignment.value.checkNesting()
            let column = try table.column(assignment.column)
            printer.append(column.quotedName + " = ")
            if case .constant(let value, _) = assignment.value {
                printer.append(value: column.form.stored(value))
            } else {
                try writeValue(&printer, assignment.value)
            }
        }
        if let counter = counter?.quotedIdentifier { append(", \(counter) = \(counter) + 1") }
    }
}
