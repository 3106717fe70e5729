/// A value that is made of several selected ones: what the `columns` function of a ``StorageSelection()`` struct returns.
public struct RowOf<Row>: Selectable {
    /// What is made.
    public typealias Value = Row

    /// All that it is made of.
    public let _selected: _Selected<Row>

    @usableFromInline init(_ selected: _Selected<Row>) {
        _selected = selected
    }

    /// How a row is read that holds all of it. Called by generated code.
    public var _reading: @Sendable (inout RowReader) throws -> Row { _selected.read }
}

/// A value that is made of several selected ones. Called by generated code.
///
/// - Parameters:
///   - make: Makes the value.
///   - parts: What is selected.
@inlinable
public func _row<Row, each S: Selectable>(
    _ make: @escaping @Sendable (repeat (each S).Value) -> Row, _ parts: repeat each S
) -> RowOf<Row> {
    let selected = (repeat (each parts)._selected)
    var all = _SelectedNodes()
    for part in repeat each selected { all.add(part.all) }
    let reads = (repeat (each selected).read)
    return RowOf(
        _Selected(all) { row in
            make(repeat try (each reads)(&row))
        } readAll: { row, values in
            repeat { values.append(make(repeat try (each reads)(&row))) } while row.advance()
        })
}
