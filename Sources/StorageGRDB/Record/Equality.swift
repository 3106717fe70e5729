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

    /// Compares two values without `==` by their stored form. Values that have none are different.
    @_disfavoredOverload
    public mutating func compare<T: Encodable>(_ lhs: T, _ rhs: T) {
        guard holds else { return }
        let encoder = JSONCoders.standardEncoder()
        // Infinite numbers of an embedded value have columns, though JSON knows none.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "")
        let forms = [lhs, rhs].map { try? encoder.encode($0) }
        holds = forms[0] != nil && forms[0] == forms[1]
    }
}
