public import StorageRepo

/// A question for columns, expressions or entities: what `select` of a ``Query`` returns. A selection is a value: each
/// step returns a new one.
///
/// ```swift
/// let names = storage.query(User.self).where { $0.age >= 18 }.select(\.name)
/// try await names.distinct().fetch()
/// // SELECT DISTINCT "name" FROM "users" WHERE "age" >= 18
/// ```
public struct Selection<E: RegisteredEntity, Row: Sendable>: PlannedQuery {
    /// What is asked so far, and of which store.
    public var _question: _Question<E>
    package let selected: _Selected<Row>

    package init(_ repository: GenericRepository<E, E.Record>, _ plan: QueryPlan, _ selected: _Selected<Row>) {
        _question = _Question(repository, plan)
        _question.plan.selection = selected.nodes
        self.selected = selected
    }

    /// Counts equal rows once. Nil is a value like any other. An order has to be one of what is selected.
    ///
    /// ``PlannedQuery/limit(_:)`` and ``PlannedQuery/offset(_:)`` after it count different rows; where they came before it, only the rows that they leave are asked,
    /// and the order that said which those are may be of anything.
    public func distinct() -> Selection {
        Selection(repository, plan.distinct(), selected)
    }

    /// The SQL that ``RowQuery/fetch()`` runs, for tests.
    package var sql: LoweredQuery {
        get throws { try plan.selectionSQL() }
    }
}

extension Selection: RowQuery {
    /// The selection itself.
    public var _rows: Selection<E, Row> { self }
}

// MARK: - Reads

extension Selection {
    func all() throws -> TableRead<[Row]> { try repository.table.selected(plan, selected) }

    func first() throws -> TableRead<Row?> {
        try one.all().map(\.first)
    }

    func page(after cursor: PageCursor?, _ limit: Int) throws -> TableRead<CursorPage<Row>> {
        try repository.table.page(plan, selected, after: cursor, limit: limit)
    }

    package var live: LiveValue<[Row]> { repository.live.selection(plan, selected) }
}
