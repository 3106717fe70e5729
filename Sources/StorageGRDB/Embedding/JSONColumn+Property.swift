/// The column of any other Codable type.
@_disfavoredOverload
public func _column<T: Codable>(_ name: String, _ type: T.Type) -> JSONColumn<T> {
    JSONColumn(name)
}

/// The column of any other Codable type that may be missing.
@_disfavoredOverload
public func _column<T: Codable>(_ name: String, _ type: T?.Type) -> JSONColumn<T?> {
    JSONColumn(name)
}

extension SQLText.Interpolation {
    /// Adds a column of JSON, or a value in it, as the text of its JSON: texts stand between quotation marks there.
    public mutating func appendInterpolation<T>(_ column: JSONColumn<T>) {
        pieces.append(.expression(column.node))
    }
}
