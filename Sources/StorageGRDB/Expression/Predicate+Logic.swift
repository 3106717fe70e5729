/// What a query can ask of a row, and what can stand beside `&&`, `||` and `!`: a condition, be it a Bool column, whose nil is false.
public protocol PredicateConvertible {
    /// The condition.
    var predicate: Predicate { get }
}

extension Column: PredicateConvertible where T: ConditionValue {
    /// The condition itself; nil is false.
    public var predicate: Predicate {
        T.self == Bool.self ? Predicate(node) : Predicate(.compare(.equal, node, .value(true)))
    }
}

/// The types of conditions: `Bool`, and `Bool?`, of which nil is false.
public protocol ConditionValue {}
extension Bool: ConditionValue {}
extension Optional: ConditionValue where Wrapped == Bool {}

// A condition beside a condition comes first, and what is convertible to one after it.

/// Both conditions hold. SQL: `(a) AND (b)`
public func && (lhs: Predicate, rhs: Predicate) -> Predicate {
    Predicate(.and(lhs.node, rhs.node))
}

/// One of the conditions holds. SQL: `(a) OR (b)`
public func || (lhs: Predicate, rhs: Predicate) -> Predicate {
    Predicate(.or(lhs.node, rhs.node))
}

/// The condition does not hold. SQL: `NOT (a)`
public prefix func ! (operand: Predicate) -> Predicate {
    // What is denied twice holds, so that a chain of denials nests nothing.
    if case .not(let node) = operand.node { return Predicate(node) }
    return Predicate(.not(operand.node))
}

/// Both conditions hold; nil is false. SQL: `(a) AND (b)`
@_disfavoredOverload
public func && (lhs: some PredicateConvertible, rhs: some PredicateConvertible) -> Predicate {
    lhs.predicate && rhs.predicate
}

/// One of the conditions holds; nil is false. SQL: `(a) OR (b)`
@_disfavoredOverload
public func || (lhs: some PredicateConvertible, rhs: some PredicateConvertible) -> Predicate {
    lhs.predicate || rhs.predicate
}

/// The condition does not hold; nil is false. SQL: `(a) IS NOT TRUE`
@_disfavoredOverload
public prefix func ! (operand: some PredicateConvertible) -> Predicate {
    !operand.predicate
}

extension Column where T == Bool {
    /// A condition that is the same for all rows.
    ///
    /// - Parameter value: Whether it holds.
    public init(_ value: Bool) {
        self.init(.value(value))
    }
}

extension Sequence<Predicate> {
    /// All conditions hold; they do if there are none.
    public var all: Predicate { joined(with: &&) ?? Predicate(true) }

    /// One of the conditions holds; none does if there are none.
    public var any: Predicate { joined(with: ||) ?? Predicate(false) }

    private func joined(with join: (Predicate, Predicate) -> Predicate) -> Predicate? {
        reduce(nil) { joined, next in joined.map { join($0, next) } ?? next }
    }
}
