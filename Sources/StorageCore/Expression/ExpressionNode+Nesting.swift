// SQLite's parser has a stack of a hundred symbols for what it has not read to the end. Each level of a condition puts its
// parenthesis there, and where it stands behind another operand, that operand and the AND or OR between them as well.

extension ExpressionNode {
    /// The condition as SQLite's parser can follow it: as it is, or with what is nested most in front.
    ///
    /// - Throws: `StorageError.queryFailed` for a condition that is nested deeper.
    func followedByParser() throws -> ExpressionNode {
        if !isNested(moreThan: ExpressionNode.mostSymbols) {
            if symbols <= ExpressionNode.mostSymbols { return self }
            let turned = deepestFirst
            if turned.symbols <= ExpressionNode.mostSymbols { return turned }
        }
        throw StorageError.nestedTooDeep
    }

    /// Refuses a value that is nested more than any parser of SQLite's can follow. It may go on for less, and says so itself.
    ///
    /// - Throws: `StorageError.queryFailed`.
    func checkNesting() throws {
        guard !isNested(moreThan: ExpressionNode.mostLevels) else { throw StorageError.nestedTooDeep }
    }

    /// The symbols on the parser's stack: each level takes one at the least.
    private static var mostLevels: Int { 100 }

    /// What is left to the condition of the longest statement around it, as tried with SQLite 3.40.
    private static var mostSymbols: Int { 75 }

    /// How long a chain may be before it is halved.
    static var longestChain: Int { 100 }

    /// Without recursion, for which there may be too many levels.
    private func isNested(moreThan limit: Int) -> Bool {
        var waiting = [(node: self, depth: 0)]
        while let (node, depth) = waiting.popLast() {
            guard depth <= limit else { return true }
            switch node {
            case .and: waiting += node.operands(\.conjuncts).map { ($0, depth + 1) }
            case .or: waiting += node.operands(\.disjuncts).map { ($0, depth + 1) }
            default: node.forEachPart { waiting.append(($0, depth + 1)) }
            }
        }
        return false
    }

    /// How much of the parser's stack the condition takes, at the most.
    var symbols: Int {
        switch self {
        case .and: operands(\.conjuncts).symbolsOfChain
        case .or: operands(\.disjuncts).symbolsOfChain
        case .not(let operand): operand.symbols + 2
        case .column, .constant, .never, .rank, .invalid: 6
        case .compare(_, let left, let right), .isKey(let left, let right):
            max(6, 3 + max(left.symbolsOfPart, right.symbolsOfPart))
        case .isHit: 20
        case .isAmong(let plan): plan.joins.isEmpty ? 13 : 20
        // The words up to HAVING and two parentheses; or what a join or an order inside takes, which stands beside the condition.
        case .exists(let plan), .scalar(let plan): max(22, 9 + plan.symbols)
        case .isInQuery(let node, let plan): 22 + max(node.symbolsOfPart, plan.symbols)
        default: 13 + symbolsOfParts
        }
    }

    /// The same for a value: a column or a constant takes no more than its place.
    private var symbolsOfPart: Int {
        switch self {
        case .column, .constant, .rank: 1
        case .arithmetic(_, let left, let right): 4 + max(left.symbolsOfPart, right.symbolsOfPart)
        case .call, .json, .cast, .collated, .firstNotNull, .aggregate, .sql: 6 + symbolsOfParts
        default: symbols + 1
        }
    }

    private var symbolsOfParts: Int {
        var most = 0
        forEachPart { part in
            switch part {
            case .column, .constant, .rank: break
            default: most = max(most, part.symbolsOfPart)
            }
        }
        return most
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

extension StorageError {
    /// The error for what is nested too deep, be it found before SQLite reads it or by SQLite.
    package static var nestedTooDeep: StorageError {
        .invalidQuery("the query is nested more than SQLite's parser can follow")
    }
}

extension [ExpressionNode] {
    fileprivate var symbolsOfChain: Int {
        var (count, halvings) = (count, 0)
        while count > ExpressionNode.longestChain {
            count -= count / 2
            halvings += 1
        }
        let symbols = map(\.symbols)
        let behind = symbols.dropFirst().max() ?? 0
        return Swift.max(halvings + 1 + symbols[0], 3 * halvings + 3 + behind)
    }

    /// A chain whose deepest operand stands first.
    fileprivate func joined(_ join: (ExpressionNode, ExpressionNode) -> ExpressionNode) -> ExpressionNode {
        var operands = self
        let symbols = map(\.symbols)
        let deepest = indices.max { symbols[$0] < symbols[$1] } ?? 0
        operands.insert(operands.remove(at: deepest), at: 0)
        return operands.dropFirst().reduce(operands[0], join)
    }
}
