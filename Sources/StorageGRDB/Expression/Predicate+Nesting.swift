// SQLite's parser has a stack of a hundred symbols for what it has not read to the end. Each level of a condition puts its
// parenthesis there, and where it stands behind another operand, that operand and the AND or OR between them as well.

extension PredicateNode {
    /// The condition as SQLite's parser can follow it: as it is, or with what is nested most in front.
    ///
    /// - Throws: `StorageError.queryFailed` for a condition that is nested deeper.
    func followedByParser() throws -> PredicateNode {
        if !isNested(moreThan: PredicateNode.mostSymbols) {
            if symbols <= PredicateNode.mostSymbols { return self }
            let turned = deepestFirst
            if turned.symbols <= PredicateNode.mostSymbols { return turned }
        }
        throw StorageError.invalidQuery("the condition is nested more than SQLite's parser can follow")
    }

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
            case .not(let operand): waiting.append((operand, depth + 1))
            default: break
            }
        }
        return false
    }

    /// How much of the parser's stack the condition takes, at the most.
    fileprivate var symbols: Int {
        switch self {
        case .and: operands(\.conjuncts).symbolsOfChain
        case .or: operands(\.disjuncts).symbolsOfChain
        case .not(let operand): operand.symbols + 2
        case .isHit: 20
        case .isIn, .match, .isAmong: 13
        default: 6
        }
    }

    private var deepestFirst: PredicateNode {
        switch self {
        case .and: operands(\.conjuncts).map(\.deepestFirst).joined { .and($0, $1) }
        case .or: operands(\.disjuncts).map(\.deepestFirst).joined { .or($0, $1) }
        case .not(let operand): .not(operand.deepestFirst)
        default: self
        }
    }
}

extension [PredicateNode] {
    fileprivate var symbolsOfChain: Int {
        var (count, halvings) = (count, 0)
        while count > PredicateNode.longestChain {
            count -= count / 2
            halvings += 1
        }
        let symbols = map(\.symbols)
        let behind = symbols.dropFirst().max() ?? 0
        return Swift.max(halvings + 1 + symbols[0], 3 * halvings + 3 + behind)
    }

    /// A chain whose deepest operand stands first.
    fileprivate func joined(_ join: (PredicateNode, PredicateNode) -> PredicateNode) -> PredicateNode {
        var operands = self
        let symbols = map(\.symbols)
        let deepest = indices.max { symbols[$0] < symbols[$1] } ?? 0
        operands.insert(operands.remove(at: deepest), at: 0)
        return operands.dropFirst().reduce(operands[0], join)
    }
}

// MARK: - Chains

extension PredicateNode {
    var conjuncts: (PredicateNode, PredicateNode)? {
        if case .and(let left, let right) = self { (left, right) } else { nil }
    }

    var disjuncts: (PredicateNode, PredicateNode)? {
        if case .or(let left, let right) = self { (left, right) } else { nil }
    }

    /// The operands of a chain of one operator, however it is nested and however long it is.
    func operands(_ parts: (PredicateNode) -> (PredicateNode, PredicateNode)?) -> [PredicateNode] {
        var operands: [PredicateNode] = []
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
