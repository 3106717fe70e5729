// Values whose order is not the one SQLite gives to their text.

extension SQLPrinter {
    /// Writes a value as something to sort by, or to compare.
    mutating func append(sorted node: ExpressionNode) throws {
        try append(operand: node)
        if try form(of: node).isDecimal { appendDecimalOrder() }
    }

    mutating func appendDecimalOrder() {
        append(" COLLATE \(FunctionName.decimalOrder)")
        query.needsFunctions = true
    }

    /// Writes `expression <comparison> ?`.
    mutating func append(
        _ comparison: Comparison, _ node: ExpressionNode, _ value: StoredValue, _ type: ColumnType?
    ) throws {
        let form = try form(of: node, comparedWith: type)
        if let (short, long) = form.wholeSecond(value) {
            return try append(comparison, node, form, short: short, long: long)
        }
        try append(comparison, besideValue: node, form)
        // `<>` is never true for NULL in SQL, but `!=` is in Swift.
        append(comparison == .notEqual && form.mayBeNull ? " IS NOT " : " \(comparison.rawValue) ")
        append(value: form.stored(value))
    }

    /// What an expression gives beside values of a type: that says what a column of a foreign type holds, and that texts are decimals or dates.
    private func form(of node: ExpressionNode, comparedWith type: ColumnType?) throws -> ValueForm {
        var form = try form(of: node)
        if form.type == nil || form.type == .text && (type == .decimal || type == .datetime) { form.type = type }
        return form
    }

    /// The same for a time that has two spellings.
    private mutating func append(
        _ comparison: Comparison, _ node: ExpressionNode, _ form: ValueForm, short: StoredValue, long: StoredValue
    ) throws {
        switch comparison {
        case .equal:
            try append(operand: node)
            append(" IN (")
            append(values: [short, long])
            append(")")
        case .notEqual:
            if form.mayBeNull {
                append("(")
                try append(operand: node)
                append(" IS NULL OR ")
            }
            try append(operand: node)
            append(" NOT IN (")
            append(values: [short, long])
            append(form.mayBeNull ? "))" : ")")
        case .less, .greaterOrEqual, .lessOrEqual, .greater:
            try append(operand: node)
            append(" \(comparison.rawValue) ")
            let isShort = comparison == .less || comparison == .greaterOrEqual
            append(value: isShort ? short : long)
        }
    }

    /// Writes `expression <comparison> ?` with a value as a row holds it.
    mutating func append(stored comparison: Comparison, _ node: ExpressionNode, _ value: StoredValue) throws {
        // The plus keeps the comparison from FTS5, which would take it for something else.
        if case .rank = node { append("+") }
        try append(comparison, besideValue: node, form(of: node))
        append(comparison == .equal ? " IS " : " \(comparison.rawValue) ")
        append(value: value)
    }

    /// Writes the comparison of two expressions. Of two that may be NULL, NULL is equal to NULL and to nothing else.
    mutating func append(_ comparison: Comparison, _ left: ExpressionNode, _ right: ExpressionNode) throws {
        let (leftForm, rightForm) = (try form(of: left), try form(of: right))
        let mayBeNull = leftForm.mayBeNull || rightForm.mayBeNull
        let isDate = leftForm.isDate || rightForm.isDate
        let isDecimal = leftForm.isDecimal || rightForm.isDecimal
        let (leftSide, rightSide) = (
            try piece { printer in
                try printer.append(comparable: left, isDate: isDate)
                if isDecimal { printer.appendDecimalOrder() }
            },
            try piece { try $0.append(comparable: right, isDate: isDate) }
        )
        let hidesColumn =
            comparison == .equal && (leftForm.isText || rightForm.isText)
            && (leftSide.hasOwnCollation || rightSide.hasOwnCollation)
        append(leftSide, hidesColumn: hidesColumn)
        switch comparison {
        case .equal where mayBeNull: append(" IS ")
        case .notEqual where mayBeNull: append(" IS NOT ")
        default: append(" \(comparison.rawValue) ")
        }
        append(rightSide, hidesColumn: hidesColumn)
    }

    // MARK: - Texts of which two that differ may be one

    /// Writes what is compared with a value.
    private mutating func append(_ comparison: Comparison, besideValue node: ExpressionNode, _ form: ValueForm) throws {
        func write(_ printer: inout SQLPrinter) throws {
            try printer.append(operand: node)
            if form.isDecimal { printer.appendDecimalOrder() }
        }
        guard comparison == .equal, isQualified, form.isText else { return try write(&self) }
        let side = try piece(write)
        append(side, hidesColumn: side.hasOwnCollation)
    }

    /// Writes one side of a comparison.
    ///
    /// - Parameter hidesColumn: Whether SQLite is to see no column in it, so that it makes no index of the column for a join. It puts
    ///   a filter before such an index, which takes texts of two lengths for two, also where the collation says that they are one:
    ///   `0.5` and `0.50`.
    mutating func append(_ side: LoweredQuery, hidesColumn: Bool) {
        if hidesColumn { append("CAST(") }
        query.append(side)
        if hidesColumn { append(" AS TEXT)") }
    }

    // MARK: - Dates

    /// Writes a value in the one spelling in which it is compared with others: a date with three decimals at least.
    mutating func append(comparable node: ExpressionNode, isDate: Bool) throws {
        guard isDate, !node.hasOneSpelling else { return try append(operand: node) }
        if case .scalar(let plan) = node, let selection = plan.selection, !plan.isDistinct {
            // Within the query, which would stand there three times.
            append("(")
            try append(select: plan) { printer in
                try printer.append(selection, of: plan) { try $0.append(comparable: $1, isDate: true) }
            }
            append(")")
            return
        }
        let value = try piece { try $0.append(operand: node) }
        append("CASE length(")
        query.append(value)
        append(") WHEN \(ValueForm.shortDate) THEN ")
        query.append(value)
        append(" || '\(ValueForm.noFraction)' ELSE ")
        query.append(value)
        append(" END")
    }

    // MARK: - Lists

    /// Writes `expression IN (?, ?)`, or 0 as a value where there is nothing to be in.
    mutating func append(
        _ node: ExpressionNode, isIn values: [StoredValue], _ type: ColumnType?, orNull: Bool
    ) throws {
        let form = try form(of: node, comparedWith: type)
        guard !values.isEmpty else {
            guard orNull else { return append(value: .integer(0)) }
            try append(operand: node)
            append(" IS NULL")
            return
        }
        if orNull { append("(") }
        // SQLite takes a list of one value for a comparison with it.
        try append(.equal, besideValue: node, form)
        append(" IN (")
        let values = values.flatMap { form.spellings(of: $0) }
        if writesLiterals {
            // A file keeps the text, which is to be the same in each process: a set has another order in each.
            append(each: values.map(\.literal).sorted()) { $0.append($1) }
        } else if values.count > SQLPrinter.mostArguments {
            query.append(list: values)
        } else {
            append(values: values)
        }
        append(")")
        guard orNull else { return }
        append(" OR ")
        try append(operand: node)
        append(" IS NULL)")
    }

    /// A longer list is one argument: each length of a list is another SQL text, and each text is kept prepared.
    private static let mostArguments = 8

    private mutating func append(values: [StoredValue]) {
        append(each: values) { $0.append(value: $1) }
    }

    /// Writes that a value is one of those that a query of one column finds. NULL is one like any other.
    mutating func append(_ node: ExpressionNode, isIn plan: QueryPlan) throws {
        guard let selected = plan.selection?.first, plan.selection?.count == 1 else {
            throw StorageError.invalidQuery("a value can be in a query of one column only")
        }
        let (form, found) = (try form(of: node), try selected.form(in: plan.table))
        let isDate = form.isDate || found.isDate
        let mayBothBeNull = form.mayBeNull && found.mayBeNull
        let list = try piece { printer in
            try printer.append(select: plan) { printer in
                try printer.append(comparable: selected, isDate: isDate)
                // Of different values a number counts once, in whatever digits.
                if plan.isDistinct, found.isDecimal { printer.appendDecimalOrder() }
                if mayBothBeNull { printer.append(" AS \"value\"") }
            }
        }
        if mayBothBeNull { append("(") }
        try append(comparable: node, isDate: isDate)
        if form.isDecimal || found.isDecimal { appendDecimalOrder() }
        append(" IN (")
        query.append(list)
        append(")")
        guard mayBothBeNull else { return }
        append(" OR ")
        try append(operand: node)
        append(" IS NULL AND EXISTS (SELECT 1 FROM (")
        query.append(list)
        append(") WHERE \"value\" IS NULL))")
    }
}

extension ExpressionNode {
    /// Whether a date that it gives has the spelling in which dates are compared.
    fileprivate var hasOneSpelling: Bool {
        switch self {
        case .comparedDate: true
        case .call(let function, _): function.comparesArguments || function.type == .datetime
        default: false
        }
    }
}

extension LoweredQuery {
    /// Whether texts in it are compared by a collation of ours.
    var hasOwnCollation: Bool {
        [" COLLATE storagekit_", " COLLATE \"storagekit_"].contains { sql.contains($0) }
    }
}
