/// How the one row is found that goes with each row.
struct RowWay: Sendable {
    enum Kind: Sendable {
        /// By a column that refers to it. `loaded` fills the entity's property for it, where it has one that can be set.
        case key(String, name: String, isOptional: Bool, loaded: (any LoadedRelation)? = nil)
        /// It was joined.
        case join(Source)
        /// It was selected as a part of the row, in the property of this name.
        case part(String, isOptional: Bool)
    }

    private let kind: Kind
    /// The rows that it goes with; nil for those of the innermost query, and outside of closures.
    private(set) var from: Source?

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// Fills the entity's property for the row; nil where there is none.
    var loaded: (any LoadedRelation)? {
        if case .key(_, _, _, let loaded) = kind { loaded } else { nil }
    }

    /// The rows at its end.
    ///
    /// - Parameter table: What has their columns.
    func rows(of table: SourceTable) -> Source {
        switch kind {
        case .key(let key, let name, let isOptional, let loaded):
            Source(table, from: from, PathStep(name: name, key: key, isOptional: isOptional), relation: loaded)
        case .join(let source): source
        case .part(let name, let isOptional):
            from.map { Source(part: name, of: $0, as: table, isOptional: isOptional) } ?? Source(table)
        }
    }

    func rows<P: RegisteredEntity>(of type: P.Type) -> ColumnRef<P> {
        ColumnRef(rows(of: RecordTable(P.Record.self).source))
    }

    /// The same way, from the rows that a reference stands for.
    func rooted(at place: ColumnPlace) -> RowWay {
        var way = self
        way.from = from?.rooted(at: place.source) ?? place.source
        return way
    }

    /// The column that says which row it is: the one that refers to it, or its id.
    func key<P>(of row: ColumnRef<P>) -> ExpressionNode {
        if case .key(let key, _, _, _) = kind { return .column(key, of: from) }
        return .column(row.source.table.idColumn, of: row.source)
    }
}
