extension ExpressionNode {
    /// The columns without whose values a condition does not hold, as far as that is plain to see.
    var neededByCondition: [Source] {
        switch self {
        case .and: operands(\.conjuncts).flatMap(\.neededByCondition)
        case .compare(let comparison, let left, let right) where !comparison.takesNull(left, right):
            left.neededByValue + right.neededByValue
        // What is equal to a stored value may be so to NULL, and the statement may run with other values.
        case .compareStored(let comparison, let node, _): comparison == .equal ? [] : node.neededByValue
        case .isIn(let node, _, _, orNull: false), .isNotNull(let node): node.neededByValue
        case .isKey(let left, let right), .match(_, let left, needle: let right, _):
            left.neededByValue + right.neededByValue
        default: neededByValue
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
        case (.equal, .constant(let value, _), _), (.equal, _, .constant(let value, _)): value == .null
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
