extension EmbeddedColumns: Selectable where Value: Decodable {
    /// All columns of the value.
    public var _selected: _Selected<Value> {
        let form = EmbeddedForm(self)
        return form.selected(form.next)
    }
}

extension OptionalEmbeddedColumns: Selectable where Wrapped: Decodable {
    /// The value; nil if all its columns are NULL.
    public typealias Value = Wrapped?

    /// All columns of the value.
    public var _selected: _Selected<Wrapped?> {
        let form = EmbeddedForm(columns)
        return form.selected(form.nextUnlessNull)
    }
}

/// How an embedded value, or one inside it, is read from its columns.
private struct EmbeddedForm<Value: Decodable>: Sendable {
    let nodes: [ExpressionNode]
    private let kind: EmbeddedShape.Kind?
    /// What the value is called, and what the names of its columns begin with.
    private let name: String
    private let prefix: String

    init<Root>(_ columns: EmbeddedColumns<Root, Value>) {
        let stored = columns.stored
        let path = stored?.path ?? []
        nodes = stored.map { columns.nodes(at: $0.path) } ?? [columns.invalid]
        kind = stored?.kind
        name = path.isEmpty ? columns.property : columns.prefix + path.joined(separator: "_")
        prefix = path.isEmpty ? columns.prefix : name + "_"
    }

    /// What is selected. A part that is kept as JSON is a column like any other.
    func selected<Result>(_ read: @escaping @Sendable (inout RowReader) throws -> Result) -> _Selected<Result> {
        if case .nested = kind { return _Selected(embedded: nodes, read: read) }
        return _Selected(nodes, read: read)
    }

    func next(_ row: inout RowReader) throws -> Value {
        switch kind {
        case .nested(let shape):
            return try row.next(shape, named: name, prefix: prefix)
        case .leaf(let coder):
            guard let coder = coder.typed(Value.self) else { break }
            if coder.isJSON { row.prepareDecoder() }
            return try coder.next(&row)
        case nil: break
        }
        throw row.mismatch(at: row.index, expected: Value.self)
    }

    func nextUnlessNull(_ row: inout RowReader) throws -> Value? {
        try row.nextUnlessNull(Int32(nodes.count), next)
    }
}
