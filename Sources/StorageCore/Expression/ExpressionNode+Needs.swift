extension ExpressionNode {
    /// The rows without which a condition does not hold, as far as that is plain to see, and SQLite does not see it itself as it does of a
    /// column that is compared.
    var neededByCondition: [Source] {
        switch self {
        case .and: operands(\.conjuncts).flatMap(\.neededByCondition)
        case .compare(let comparison, let left, let right) where !comparison.takesNull(left, right):
            [left, right].filter { $0.columnName == nil }.flatMap(\.neededByValue)
        case .isIn(let node, _, _, orNull: false): node.neededByValue
        case .match(_, let text, let needle, _): text.neededByValue + needle.neededByValue
        default: []
        }
    }

    /// The same for what is NULL without them.
    private var neededByValue: [Source] {
        switch self {
        case .column(_, let source): source.map { [$0] } ?? []
        case .arithmetic(_, let left, let right): left.neededByValue + right.neededByValue
        case .call(_, let arguments): arguments.flatMap(\.neededByValue)
        case .cast(let node, _), .collated(let node, _), .comparedDate(let node): node.neededByValue
        case .json(let node, let path): path.isNullWithoutColumn ? node.neededByValue : []
        default: []
        }
    }
}

extension Comparison {
    /// Whether NULL, too, is equal or unequal to something, as in Swift.
    fileprivate func takesNull(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        switch (self, left, right) {
        case (.equal, _, .constant(let value, _)): value == .null
        case (.equal, _, _), (.notEqual, _, _): true
        default: false
        }
    }
}

extension JSONPath {
    fileprivate var isNullWithoutColumn: Bool {
        switch question {
        case .value, .count: true
        case .contains, .isObject: false
        }
    }
}
