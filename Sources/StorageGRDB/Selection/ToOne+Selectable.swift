extension ToOne: Selectable {
    /// The row that is referred to.
    public typealias Value = P

    /// All its columns.
    public var _selected: _Selected<P> { row._selected }

    /// The column that refers to it.
    package var key: ExpressionNode { way.key(of: row) }
}

extension OptionalToOne: Selectable {
    /// The row that is referred to; nil where there is none.
    public typealias Value = P?

    /// All its columns.
    public var _selected: _Selected<P?> { row.selectedIfAny }
}
