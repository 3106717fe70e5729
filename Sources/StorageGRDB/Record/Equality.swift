/// Compares entities property by property, for those with a property that may have no `==` of its own.
@frozen
public struct _Equality {
    /// Whether no difference was found so far.
    public private(set) var holds = true

    /// Nothing is compared yet.
    public init() {}

    /// Compares two values by their `==`.
    public mutating func compare<T: Equatable>(_ lhs: T, _ rhs: T) {
        if holds { holds = lhs == rhs }
    }

    /// Compares two values without `==` by what is stored of them.
    @_disfavoredOverload
    public mutating func compare<T: Encodable>(_ lhs: T, _ rhs: T) {
        if holds { holds = areEqual(lhs, rhs) }
    }
}

/// An entity with a property that may have no `==` of its own. Conformed to by generated code; an `==` that the app
/// writes is preferred.
public protocol ComparedByParts {
    /// Whether all properties are equal.
    func _isEqual(to other: Self) -> Bool
}

extension ComparedByParts {
    /// Whether all properties are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs._isEqual(to: rhs) }
}

extension ComparedByParts where Self: Identifiable {
    /// Hashes the id alone, for an entity that is `Hashable`: equal entities have equal ids, whatever else is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What is stored decides: a mirror shows what is not coded, too, and nothing of a case without values. Where texts differ, parts that
/// have an `==` are compared by it: the order of a set's elements, say, means nothing.
private func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
    if let lhs = lhs as? any Equatable { return lhs.equals(rhs) }
    if let lhs = (lhs as? any Encodable)?.storedForm, lhs == (rhs as? any Encodable)?.storedForm { return true }
    let left = Mirror(reflecting: lhs)
    let right = Mirror(reflecting: rhs)
    switch left.displayStyle {
    case .struct where !(lhs is any CustomReflectable),
        .class where !(lhs is any CustomReflectable) && left.superclassMirror == nil,
        .enum where !left.children.isEmpty && !right.children.isEmpty, .optional, .collection, .tuple:
        guard left.children.count == right.children.count else { return false }
        return zip(left.children, right.children).allSatisfy { $0.label == $1.label && areEqual($0.value, $1.value) }
    case .dictionary:
        guard let lhs = lhs as? [AnyHashable: Any], let rhs = rhs as? [AnyHashable: Any], lhs.count == rhs.count else {
            return false
        }
        return lhs.allSatisfy { key, value in rhs[key].map { areEqual(value, $0) } ?? false }
    default: return false
    }
}

extension Equatable {
    func equals(_ other: Any) -> Bool {
        (other as? Self).map { $0 == self } ?? false
    }
}

extension Encodable {
    fileprivate var storedForm: Data? {
        try? JSONCoders.standardEncoder().encode([self])
    }
}
