extension QueryPlan {
    /// The SELECT of all columns.
    ///
    /// - Parameters:
    ///   - expressions: What to select behind the columns.
    ///   - passage: What to select behind that of the text that the search found.
    ///   - rowid: The name of the rowid, if it is to be selected too, and rows that are alike to the order sorted by it.
    ///     Not for a plan that searches.
    /// - Throws: `StorageError.queryFailed` for an unknown column, a negative limit or offset.
    package func selectSQL(
        alsoSelecting expressions: [ExpressionNode] = [], passage: SearchPassage? = nil, rowid: String? = nil
    ) throws -> LoweredQuery {
        try written { printer in
            // The order says whose its columns are, but it may have been left out.
            let isQualified = expressions.contains(where: \.meansSeveralSources)
            try printer.append(select: self, passage: passage, rowid: rowid, isQualified: isQualified) { printer in
                printer.append(printer.allColumns)
                for expression in expressions {
                    printer.append(", ")
                    try printer.append(value: expression)
                }
                if passage != nil { printer.append(", " + FullTextSearch.Result.passage.quotedIdentifier) }
                if let rowid { printer.append(", " + printer.qualified(rowid)) }
            }
        }
    }

    /// The SELECT of what the plan selects.
    ///
    /// - Parameters:
    ///   - expressions: What to select behind it.
    ///   - rowid: The name of the rowid, if it is to be selected too, and rows that are alike to the order sorted by it.
    package func selectionSQL(
        alsoSelecting expressions: [ExpressionNode] = [], rowid: String? = nil
    ) throws -> LoweredQuery {
        // What is selected behind it makes different rows of equal ones.
        if isDistinct, !expressions.isEmpty { _ = try selectionSQL() }
        var plan = self
        plan.selection = selection.map { $0 + expressions }
        return try written { try $0.append(select: plan, rowid: rowid) }
    }

    /// The count of the rows that the plan finds.
    package func countSQL() throws -> LoweredQuery {
        try checkOrder()
        return try written { printer in
            let asksRows = groupKeys == nil && !isDistinct
            guard limit != nil || offset != nil || !asksRows else {
                return try printer.append(select: self, isOrdered: false) { $0.append("COUNT(*)") }
            }
            printer.append("SELECT COUNT(*) FROM (")
            // All rows as one group are one for what is made of them.
            if isDistinct || groupKeys?.isEmpty == true {
                try printer.append(select: self)
            } else {
                // How many rows or groups there are does not depend on their order, nor on what is made of them.
                try printer.append(select: self, isOrdered: false) { $0.append("1") }
            }
            printer.append(")")
        }
    }

    /// Whether there is a row that ``selectSQL(alsoSelecting:passage:rowid:)`` would return.
    package func existsSQL() throws -> LoweredQuery {
        try checkOrder()
        return try written { printer in
            printer.append("SELECT EXISTS (")
            // All rows as one group give one row, even where there are none.
            if isDistinct && offset != nil || groupKeys?.isEmpty == true {
                try printer.append(lookedInto: self)
            } else {
                try printer.append(select: self, isOrdered: false) { $0.append("1") }
            }
            printer.append(")")
        }
    }

    /// The DELETE of the rows that ``selectSQL(alsoSelecting:passage:rowid:)`` would return.
    package func deleteSQL() throws -> LoweredQuery {
        try checkOrder()
        let plan = withoutLimit(canJoin: false)
        return try written { printer in
            try printer.within(plan) { printer in
                printer.append("DELETE FROM \(printer.rows[0].declaration)")
                try printer.append(filterOf: plan)
            }
        }
    }

    /// The UPDATE of the rows that ``selectSQL(alsoSelecting:passage:rowid:)`` would return.
    ///
    /// - Parameters:
    ///   - assignments: Columns and their new values.
    ///   - counter: A column that is counted up.
    /// - Throws: Also if a column is unknown, or a value cannot be stored.
    package func updateSQL(
        _ assignments: [(column: String, value: ExpressionNode)], counting counter: String?
    ) throws -> LoweredQuery {
        try checkOrder()
        guard assignments.allSatisfy(\.value.tablesRead.isEmpty) else {
            return try updateFromSQL(assignments, counting: counter)
        }
        let plan = withoutLimit(canJoin: false)
        return try written { printer in
            try printer.within(plan) { printer in
                printer.append("UPDATE \(printer.rows[0].declaration) SET ")
                try printer.append(assignments, of: table, counting: counter) { printer, value in
                    try printer.append(value: value)
                }
                try printer.append(filterOf: plan)
            }
        }
    }

    /// The SELECT of the values of one expression that are not NULL, in the order of the table.
    package func valuesSQL(_ expression: ExpressionNode) throws -> LoweredQuery {
        try expression.checkNesting()
        try checkOrder()
        var plan = withoutLimit()
        plan.add(.isNotNull(expression))
        return try plan.valueSQL(expression)
    }

    /// The SELECT of one expression's least or greatest value; NULL is none.
    package func extremeSQL(_ expression: ExpressionNode, _ order: SortOrder) throws -> LoweredQuery {
        try checkOrder()
        var plan = withoutLimit()
        plan.add(.isNotNull(expression))
        plan.sort(by: expression, order)
        plan.limit = 1
        return try plan.valueSQL(expression)
    }

    /// The SELECT of one expression's different values, sorted; NULL is none.
    package func distinctSQL(_ expression: ExpressionNode) throws -> LoweredQuery {
        try expression.checkNesting()
        try checkOrder()
        var plan = remaining()
        plan.add(.isNotNull(expression))
        plan.order = []
        plan.sort(by: expression, .ascending)
        plan.isDistinct = true
        guard try expression.form(in: table).isDate else { return try plan.valueSQL(expression) }
        // A time in two spellings is one value.
        return try written { try $0.append(select: plan) { try $0.append(comparable: expression, isDate: true) } }
    }

    /// The filter as SQL with its values in the text, for an index or a check.
    ///
    /// - Throws: `StorageError.queryFailed` for a condition that is more than comparisons of the table's columns with constants, or
    ///   needs functions of ours: whoever opens the file has to know the condition.
    package func filterLiteral() throws -> String {
        guard filter?.comparesColumnsWithConstants ?? true else {
            throw StorageError.invalidQuery(
                "a condition in the schema of table '\(table.name)' compares columns with constants, and nothing else")
        }
        let written = try written(writingLiterals: true) { printer in
            try printer.within(self) { printer in
                if let filter = try filter?.followedByParser() { try printer.append(condition: filter) }
            }
        }
        guard !written.needsFunctions else {
            throw StorageError.invalidQuery(
                "a condition in the schema of table '\(table.name)' needs a function that SQLite itself has not")
        }
        return written.sql
    }

    /// What an expression of the plan gives.
    package func form(of expression: ExpressionNode) throws -> ValueForm {
        try expression.form(in: table)
    }

    /// Whether an expression of the plan may be NULL.
    package func mayBeNull(_ expression: ExpressionNode) throws -> Bool {
        try form(of: expression).mayBeNull
    }

    /// An expression of the plan as SQL, for comparing it with others: those of one plan have the same names for the same rows.
    package func sql(of expression: ExpressionNode) throws -> LoweredQuery {
        try expression.checkNesting()
        return try written { printer in
            printer.namesWholeWays = true
            try printer.within(self) { try $0.append(value: expression) }
        }
    }

    private func valueSQL(_ expression: ExpressionNode) throws -> LoweredQuery {
        // By the collation, different texts of one decimal are one value.
        try written { try $0.append(select: self) { try $0.append(sorted: expression) } }
    }

    /// Statements that do not sort refuse an unknown column all the same.
    private func checkOrder() throws {
        for term in order { _ = try sql(of: term.expression) }
    }

    func written(
        writingLiterals: Bool = false, _ write: (inout SQLPrinter) throws -> Void
    ) rethrows -> LoweredQuery {
        var printer = SQLPrinter(writingLiterals: writingLiterals, coders: coders)
        try write(&printer)
        return printer.query
    }
}
