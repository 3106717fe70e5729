/// How the one row is found that goes with each row.
enum RowWay: Sendable {
    /// By a key.
    case key(RelationStep)
    /// It was joined.
    case join(Source)
    /// It was selected as a part of the row.
    case part(RowPart)

    /// The way by a key; nil for another.
    var step: RelationStep? {
        if case .key(let step) = self { step } else { nil }
    }

    /// The rows at its end.
    func rows<P: RegisteredEntity>(of type: P.Type) -> ColumnRef<P> {
        switch self {
        case .key(let step): ColumnRef(step.rows(of: RecordTable(P.Record.self).source))
        case .join(let source): ColumnRef(source)
        case .part(let part): ColumnRef(part.rows(of: RecordTable(P.Record.self).source))
        }
    }

    /// The same way, from the rows that a reference stands for.
    func rooted(at place: ColumnPlace) -> RowWay {
        switch self {
        case .key(let step): .key(step.rooted(at: place))
        case .join: self
        case .part(let part): .part(part.rooted(at: place))
        }
    }

    /// The column that says which row it is: the one that refers to it, or its id.
    func key<P>(of row: ColumnRef<P>) -> ExpressionNode {
        step.map { .column($0.key, of: $0.from) } ?? .column(row.source.table.idColumn, of: row.source)
    }
}

/// A value of several columns among those that were selected.
struct RowPart: Sendable {
    /// The name of its property.
    let name: String
    /// Whether it may be nil.
    let isOptional: Bool
    /// The rows that it is a part of; nil outside of closures.
    private(set) var from: Source?

    init(_ name: String, isOptional: Bool) {
        self.name = name
        self.isOptional = isOptional
    }

    func rooted(at place: ColumnPlace) -> RowPart {
        var part = self
        part.from = part.from?.rooted(at: place.source) ?? place.source
        return part
    }

    /// The part.
    ///
    /// - Parameter table: What has its columns.
    func rows(of table: SourceTable) -> Source {
        from.map { Source(part: name, of: $0, as: table, isOptional: isOptional) } ?? Source(table)
    }
}
