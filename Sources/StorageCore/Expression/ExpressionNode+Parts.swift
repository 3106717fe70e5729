extension ExpressionNode {
    /// Calls the body with each expression that this one is made of. What a query inside is made of is its own.
    func forEachPart(_ body: (ExpressionNode) -> Void) {
        switch self {
        case .column, .constant, .exists, .isAmong, .isHit, .scalar, .rank, .invalid: break
        case .compareStored(_, let node, _), .isNull(let node), .isNotNull(let node), .isIn(let node, _, _, _),
            .isInQuery(let node, _), .not(let node), .cast(let node, _), .collated(let node, _),
            .comparedDate(let node), .json(let node, _):
            body(node)
        case .compare(_, let left, let right), .isKey(let left, let right), .match(_, let left, let right, _),
            .and(let left, let right), .or(let left, let right), .arithmetic(_, let left, let right):
            body(left)
            body(right)
        case .call(_, let nodes), .firstNotNull(let nodes): nodes.forEach(body)
        case .choice(let choices, let otherwise):
            for choice in choices {
                body(choice.condition)
                body(choice.value)
            }
            body(otherwise)
        case .aggregate(let aggregate):
            aggregate.argument.map(body)
            aggregate.condition.map(body)
        case .sql(let pieces, _):
            for case .expression(let node) in pieces { body(node) }
        }
    }

    /// The same expression with each of those made another.
    func replacingParts(_ change: (ExpressionNode) -> ExpressionNode) -> ExpressionNode {
        switch self {
        case .column, .constant, .exists, .isAmong, .isHit, .scalar, .rank, .invalid: self
        case .compareStored(let comparison, let node, let value): .compareStored(comparison, change(node), value)
        case .isNull(let node): .isNull(change(node))
        case .isNotNull(let node): .isNotNull(change(node))
        case .isIn(let node, let values, let type, let orNull): .isIn(change(node), values, type, orNull: orNull)
        case .isInQuery(let node, let plan): .isInQuery(change(node), plan)
        case .not(let node): .not(change(node))
        case .cast(let node, let type): .cast(change(node), to: type)
        case .collated(let node, let collation): .collated(change(node), collation)
        case .comparedDate(let node): .comparedDate(change(node))
        case .json(let node, let path): .json(change(node), path)
        case .compare(let comparison, let left, let right): .compare(comparison, change(left), change(right))
        case .isKey(let key, let row): .isKey(change(key), of: change(row))
        case .match(let match, let text, let needle, let ignoringCase):
            .match(match, change(text), needle: change(needle), ignoringCase: ignoringCase)
        case .and(let left, let right): .and(change(left), change(right))
        case .or(let left, let right): .or(change(left), change(right))
        case .arithmetic(let operation, let left, let right): .arithmetic(operation, change(left), change(right))
        case .call(let function, let nodes): .call(function, nodes.map(change))
        case .firstNotNull(let nodes): .firstNotNull(nodes.map(change))
        case .choice(let choices, let otherwise):
            .choice(choices.map { Choice(change($0.condition), change($0.value)) }, otherwise: change(otherwise))
        case .aggregate(let aggregate):
            .aggregate(
                Aggregate(
                    aggregate.kind, aggregate.argument.map(change), where: aggregate.condition.map(change),
                    isDistinct: aggregate.isDistinct, of: aggregate.rows))
        case .sql(let pieces, let form):
            .sql(
                pieces.map { piece in
                    if case .expression(let node) = piece { .expression(change(node)) } else { piece }
                }, form)
        }
    }

    /// The same expression with columns of a source where they are of none.
    package func rooted(at root: Source) -> ExpressionNode {
        switch self {
        case .column(let name, nil): .column(name, of: root)
        case .column(let name, let source?): .column(name, of: source.rooted(at: root))
        // Refused when it is asked, whosever columns it has.
        case _ where isNestedTooDeep: self
        // However long a chain is.
        case .and: operands(\.conjuncts).map { $0.rooted(at: root) }.chained(ExpressionNode.and)
        case .or: operands(\.disjuncts).map { $0.rooted(at: root) }.chained(ExpressionNode.or)
        default: replacingParts { $0.rooted(at: root) }
        }
    }

    /// Whether any part of it, or it itself, meets a condition. Without recursion, for which there may be too many levels.
    package func contains(where isFound: (ExpressionNode) -> Bool) -> Bool {
        var waiting = [self]
        while let node = waiting.popLast() {
            if isFound(node) { return true }
            node.forEachPart { waiting.append($0) }
        }
        return false
    }

    /// The columns of the innermost query's rows that it names, or begins a path by, without saying whose they are.
    var namesWithoutSource: [String] {
        var names: [String] = []
        _ = contains { node in
            if case .column(let name, let source) = node, source?.root == nil { names.append(source?.firstKey ?? name) }
            return false
        }
        return names
    }

    /// Whether it means the rows of more than one table side by side: it follows a path, or has a query in it, be it in SQL of the app's.
    var meansSeveralSources: Bool {
        contains { node in
            switch node {
            case .column(_, let source): source?.path != nil
            case .exists, .scalar, .isInQuery: true
            case .sql(let pieces, _): pieces.mayReadTables
            default: false
            }
        }
    }

    /// Whether it follows a path, be it in a query inside, that meets a condition.
    func followsPath(where isMeant: (Source) -> Bool) -> Bool {
        contains { node in
            switch node {
            case .column(_, let source?): source.path != nil && isMeant(source)
            case .exists(let plan), .scalar(let plan), .isInQuery(_, let plan):
                plan.expressions.contains { $0.followsPath(where: isMeant) }
            default: false
            }
        }
    }

    /// Whether it is made of comparisons of columns of the innermost query with constants.
    var comparesColumnsWithConstants: Bool {
        switch self {
        case .column: isPlainColumn
        case .compare(_, let left, let right):
            left.isPlainColumn && right.isConstant || left.isConstant && right.isPlainColumn
        case .compareStored(_, let node, _), .isNull(let node), .isNotNull(let node), .isIn(let node, _, _, _):
            node.isPlainColumn
        case .and: operands(\.conjuncts).allSatisfy(\.comparesColumnsWithConstants)
        case .or: operands(\.disjuncts).allSatisfy(\.comparesColumnsWithConstants)
        case .not(let operand): operand.comparesColumnsWithConstants
        // It says itself what is wrong.
        case .invalid: true
        default: false
        }
    }

    /// Whether it is a column of the rows that are asked for, and not of those that a path leads to.
    var isPlainColumn: Bool {
        if case .column(_, let source) = self { source?.path == nil } else { false }
    }

    var isConstant: Bool {
        if case .constant = self { true } else { false }
    }

    /// The name, if it is a column.
    package var columnName: String? {
        if case .column(let name, _) = self { name } else { nil }
    }
}

extension ExpressionNode {
    var conjuncts: (ExpressionNode, ExpressionNode)? {
        if case .and(let left, let right) = self { (left, right) } else { nil }
    }

    var disjuncts: (ExpressionNode, ExpressionNode)? {
        if case .or(let left, let right) = self { (left, right) } else { nil }
    }

    /// The operands of a chain of one operator, however it is nested and however long it is.
    func operands(_ parts: (ExpressionNode) -> (ExpressionNode, ExpressionNode)?) -> [ExpressionNode] {
        var operands: [ExpressionNode] = []
        var waiting = [self]
        while let node = waiting.popLast() {
            if let (left, right) = parts(node) {
                waiting.append(right)
                waiting.append(left)
            } else {
                operands.append(node)
            }
        }
        return operands
    }
}
