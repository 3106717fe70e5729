/// A value that is made of several selected ones: what the `columns` function of a ``StorageSelection()`` struct returns.
public struct RowOf<Row>: Selectable {
    /// What is made.
    public typealias Value = Row

    /// All that it is made of.
    public let _selected: _Selected<Row>
}

/// A value that is made of several selected ones. Called by generated code.
///
/// - Parameters:
///   - make: Makes the value.
///   - parts: What is selected.
public func _row<Row, each S: Selectable>(
    _ make: @escaping @Sendable (repeat (each S).Value) -> Row, _ parts: repeat each S
) -> RowOf<Row> {
    let selected = _Selected<(repeat (each S).Value)>.together(repeat each parts)
    return RowOf(
        _selected: _Selected(selected.nodes) { row in
            let values = try selected.read(&row)
            return make(repeat each values)
        })
}
