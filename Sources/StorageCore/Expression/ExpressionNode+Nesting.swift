// SQLite's parser has a stack of a hundred symbols for what it has not read to the end. Each level of a condition puts its
// parenthesis there, and where it stands behind another operand, that operand and the AND or OR between them as well.

extension ExpressionNode {
    /// The condition in the order in which SQLite's parser follows it furthest: as it is, or with what is nested most in front.
    ///
    /// - Throws: `StorageError.queryFailed` for a condition that no order makes short enough.
    func followedByParser() throws -> ExpressionNode {
        try checkNesting()
        return isNested(moreThan: ExpressionNode.usualLevels) ? deepestFirst : self
    }

    /// Refuses a value that is nested more than the parser can follow at best. It may go on for less, and says so itself.
    ///
    /// - Throws: `StorageError.queryFailed`.
    package func checkNesting() throws {
        guard !isNestedTooDeep else { throw StorageError.nestedTooDeep }
    }

    /// Whether it is refused wherever it is asked. What walks through an expression by recursion leaves it alone then.
    var isNestedTooDeep: Bool { isNested(moreThan: ExpressionNode.mostLevels) }

    /// The symbols on the parser's stack: each level takes one at the least.
    private static var mostLevels: Int { 100 }

    /// Up to here a condition stands as it was written.
    private static var usualLevels: Int { 8 }

    /// How long a chain may be before it is halved.
    static var longestChain: Int { 100 }

    /// Without recursion, for which there may be too many levels.
    private func isNested(moreThan limit: Int) -> Bool {
        var waiting = [(node: self, depth: 0)]
        while let (node, depth) = waiting.popLast() {
            guard depth <= limit else { return true }
            node.forEachOperand { waiting.append(($0, depth + 1)) }
        }
        return false
    }

    fileprivate var levels: Int {
        var most = 0
        forEachOperand { most = max(most, $0.levels + 1) }
        return most
    }

    /// What stands one level below, in a query what it selects and the condition of its rows. A chain of AND, or of OR, is one level.
    private func forEachOperand(_ body: (ExpressionNode) -> Void) {
        switch self {
        case .exists(let plan): plan.filter.map(body)
        case .scalar(let plan): plan.selectedAndFilter.forEach(body)
        case .isInQuery(let node, let plan): ([node] + plan.selectedAndFilter).forEach(body)
        case .and: operands(\.conjuncts).forEach(body)
        case .or: operands(\.disjuncts).forEach(body)
        default: forEachPart(body)
        }
    }

    private var deepestFirst: ExpressionNode {
        switch self {
        case .and: operands(\.conjuncts).map(\.deepestFirst).joined { .and($0, $1) }
        case .or: operands(\.disjuncts).map(\.deepestFirst).joined { .or($0, $1) }
        case .not(let operand): .not(operand.deepestFirst)
        default: self
        }
    }
}

extension QueryPlan {
    fileprivate var selectedAndFilter: [ExpressionNode] { (selection ?? []) + (filter.map { [$0] } ?? []) }
}

extension StorageError {
    /// The error for what is nested too deep, be it found before SQLite reads it or by SQLite.
    package static var nestedTooDeep: StorageError {
        .invalidQuery("the query is nested more than SQLite's parser can follow")
    }
}

extension [ExpressionNode] {
    /// A chain of them in their order.
    func chained(_ join: (ExpressionNode, ExpressionNode) -> ExpressionNode) -> ExpressionNode {
        dropFirst().reduce(self[0], join)
    }

    /// A chain whose deepest operand stands first.
    fileprivate func joined(_ join: (ExpressionNode, ExpressionNode) -> ExpressionNode) -> ExpressionNode {
        var operands = self
        let levels = map(\.levels)
        let deepest = indices.max { levels[$0] < levels[$1] } ?? 0
        operands.insert(operands.remove(at: deepest), at: 0)
        return operands.chained(join)
    }
}
