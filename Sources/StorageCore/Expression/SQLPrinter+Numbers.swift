import StorageSQLite

// Numbers as Swift has them. SQLite knows integers of 64 bits with a sign and floating-point numbers. Where an integer becomes too
// great it goes on with a fraction, and of decimals, which are text to it, it knows nothing: there functions of ours calculate.

extension SQLPrinter {
    /// Writes a calculation.
    mutating func append(
        _ operation: Arithmetic, _ left: ExpressionNode, _ right: ExpressionNode
    ) throws {
        guard let function = try function(of: .arithmetic(operation, left, right)) else {
            if operation == .join { try checkTexts(left, right) }
            return try append(plain: operation, left, right)
        }
        append("\(function)(")
        query.needsFunctions = true
        if function == FunctionName.integer {
            try append(plain: operation, left, right)
        } else {
            append("'\(operation.rawValue)', ")
            try append(list: [left, right])
        }
        append(")")
    }

    /// Refuses two numbers that would be put together as texts: columns of a record written by hand are texts to the compiler, where nothing
    /// beside them says otherwise.
    private func checkTexts(_ left: ExpressionNode, _ right: ExpressionNode) throws {
        guard try [left, right].allSatisfy({ try form(of: $0).type?.isNumber == true }) else { return }
        let names = [left, right].compactMap(\.columnName).map { "'\($0)'" }.joined(separator: " and ")
        throw StorageError.invalidQuery(
            "\(names) hold numbers, and are added once one has a type: '$0.age as Column<Int>'")
    }

    /// Whether an expression is written as a function's call, though it stands with an operator in Swift.
    func isCall(_ node: ExpressionNode) throws -> Bool { try function(of: node) != nil }

    private func function(of node: ExpressionNode) throws -> String? {
        guard case .arithmetic(let operation, _, _) = node, operation != .join else { return nil }
        return switch try form(of: node).type {
        case .integer: FunctionName.integer
        case .decimal: FunctionName.decimals
        case .unsigned: FunctionName.unsigned
        default: nil
        }
    }

    private mutating func append(
        plain operation: Arithmetic, _ left: ExpressionNode, _ right: ExpressionNode
    ) throws {
        try append(operandOfPlain: left)
        append(" \(operation.rawValue) ")
        try append(operandOfPlain: right)
    }

    /// A number that became too great stays one with a fraction, whatever is calculated with it: one look at the end tells.
    private mutating func append(operandOfPlain node: ExpressionNode) throws {
        guard case .arithmetic(let operation, let left, let right) = node,
            try function(of: node) == FunctionName.integer
        else {
            if node.isIntegerOfSQL {
                // `round` gives a whole number as one with a fraction.
                append(FunctionName.whole)
                query.needsFunctions = true
            }
            return try append(operand: node)
        }
        append("(")
        try append(plain: operation, left, right)
        append(")")
    }

    /// Writes a value that the statement gives. Where whoever reads it looks whether an integer became too great, no function has
    /// to: it would be called for each row.
    ///
    /// - Parameter isOfGroup: Whether it is made of many rows, so that functions are called for few of them.
    mutating func append(read node: ExpressionNode, isOfGroup: Bool) throws {
        switch node {
        case .arithmetic(let operation, let left, let right) where node.isCheckedWhenRead && !isOfGroup:
            try append(plain: operation, left, right)
        case .aggregate(let aggregate) where node.isCheckedWhenRead: try append(aggregate, isRead: true)
        case .firstNotNull(let nodes) where node.isCheckedWhenRead:
            append("COALESCE(")
            try append(read: nodes[0], isOfGroup: isOfGroup)
            append(", ")
            try append(list: Array(nodes.dropFirst()))
            append(")")
        default: try append(value: node)
        }
    }

    /// - Parameter isRead: Whether whoever reads the sum looks whether an integer became too great.
    mutating func append(_ aggregate: Aggregate, isRead: Bool = false) throws {
        let aggregate = anchored(aggregate)
        append("\(try function(of: aggregate))(")
        if aggregate.isDistinct { append("DISTINCT ") }
        if let argument = aggregate.argument {
            if isRead, case .arithmetic(let operation, let left, let right) = argument {
                try append(plain: operation, left, right)
            } else if aggregate.isDistinct, try form(of: argument).isDate {
                try append(comparable: argument, isDate: true)
            } else {
                try append(sorted: argument)
            }
        } else {
            append("*")
        }
        append(")")
        guard let condition = aggregate.condition else { return }
        append(" FILTER (WHERE ")
        try append(condition: condition)
        append(")")
    }

    private mutating func function(of aggregate: Aggregate) throws -> String {
        let type = try aggregate.argument.flatMap { try form(of: $0).type }
        let function: String? =
            switch (aggregate.kind, type) {
            case (.sum, .decimal): FunctionName.decimalSum
            case (.sum, .unsigned): FunctionName.unsignedSum
            case (.average, .decimal): FunctionName.decimalMean
            case (.average, _): FunctionName.mean
            default: nil
            }
        guard let function else { return aggregate.kind.rawValue }
        query.needsFunctions = true
        return function
    }

    /// Writes a value as another type.
    mutating func append(cast operand: ExpressionNode, to type: ColumnType) throws {
        let isBytes = try form(of: operand).type == .unsigned
        if type != .decimal { append("CAST(") }
        let isCollated: Bool
        if type == .decimal || isBytes {
            query.needsFunctions = true
            append("\(FunctionName.decimalText)(")
            isCollated = try appendCollating { try $0.append(value: operand) }
            append(")")
        } else {
            isCollated = try appendCollating { try $0.append(value: operand) }
        }
        if type != .decimal { append(" AS \(Affinity(of: type.rawValue).rawValue))") }
        // The text of a decimal is no decimal. A query inside hands out how it compares its columns.
        if type == .text, try isCollated || form(of: operand).isDecimal { append(SQLPrinter.plainCollation) }
    }

    /// Writes the arguments of a function that compares them.
    mutating func append(compared nodes: [ExpressionNode]) throws {
        let forms = try nodes.map { try form(of: $0) }
        let isDate = forms.contains(where: \.isDate)
        for (position, node) in nodes.enumerated() {
            if position > 0 { append(", ") }
            try append(comparable: node, isDate: isDate)
            if position == 0, forms.contains(where: \.isDecimal) { appendDecimalOrder() }
        }
    }
}

extension ExpressionNode {
    /// Whether it is SQL of the app's, which is to give integers.
    package var isIntegerOfSQL: Bool {
        if case .sql(_, let form) = self { form.type == .integer } else { false }
    }

    /// Whether it is an integer that SQLite makes a number with a fraction of where it becomes too great, and that it is if any
    /// part of it did: whoever reads it refuses such a number.
    package var isCheckedWhenRead: Bool {
        guard !isNestedTooDeep else { return false }
        switch self {
        case .arithmetic(let operation, _, _):
            return operation != .join && (try? form(in: nil).type) == .integer
        case .aggregate(let aggregate):
            guard aggregate.kind == .sum, !aggregate.isDistinct, case .arithmetic? = aggregate.argument else {
                return false
            }
            return aggregate.argument?.isCheckedWhenRead == true
        case .firstNotNull(let nodes):
            return nodes.first?.isCheckedWhenRead == true && nodes.count > 1
                && nodes.dropFirst().allSatisfy(\.isConstant)
        default: return false
        }
    }
}
