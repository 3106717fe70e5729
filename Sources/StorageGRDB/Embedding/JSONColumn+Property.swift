/// The column of any other Codable type.
@_disfavoredOverload
public func _column<T: Codable & Sendable>(_ name: String, _ type: T.Type) -> JSONColumn<T> {
    JSONColumn(name)
}

/// The column of any other Codable type that may be missing.
@_disfavoredOverload
public func _column<T: Codable & Sendable>(_ name: String, _ type: T?.Type) -> JSONColumn<T?> {
    JSONColumn(name)
}

extension SQLText.Interpolation {
    /// Adds a column of JSON, as its text.
    public mutating func appendInterpolation<T>(_ column: JSONColumn<T>) {
        pieces.append(.expression(column.node))
    }
}
