public import StorageRepo

extension Selection where Row: QueriedRow {
    /// Asks the rows of the selection as if they stood in a table.
    ///
    /// ```swift
    /// let lists = storage.query(RemindersList.self)
    ///     .select { ListRow.columns(list: $0, open: $0.reminders.count { !$0.isDone }, nextDue: $0.reminders.min(\.dueDate)) }
    /// let busy = try await lists.asQuery().where { $0.open > 3 }.orderBy(\.nextDue).fetch()
    /// // SELECT ... FROM (SELECT "reminderslists"."id" AS "list.id", ..., (SELECT COUNT(*) ...) AS "open", ... FROM "reminderslists")
    /// // "selection" WHERE "open" > ? ORDER BY "nextDue" ASC
    /// ```
    ///
    /// What is asked are the rows of a ``StorageSelection()`` struct, whose properties are columns then, or of one entity. The rows are those
    /// that ``RowQuery/fetch()`` would give, limit, offset and ``distinct()`` counted; their order says which of them a limit leaves, and nothing else.
    public func asQuery() -> SelectedQuery<E, Row> {
        let layout = Row._layout
        var plan = plan
        if selected.holdsEmbedded {
            plan.add(.invalid("the rows of a query have one column for each value, and no embedded value"))
        }
        return SelectedQuery(
            repository, plan.asTable(layout.name, columns: layout.columns, idColumn: layout.idColumn), selected)
    }
}

/// A question to the rows of a selection, which ``Selection/asQuery()`` begins. Each step returns a new value.
///
/// It has what a ``Query`` has for reading. A property is a column of its type, an entity a path to its columns (`$0.list.title`), as
/// is another selected struct; entities that a relation leads to, which a statement of their own reads, cannot be asked about.
public struct SelectedQuery<E: RegisteredEntity, Row: QueriedRow & Sendable>: TableQuery {
    /// What is asked so far, and of which store.
    public var _question: _Question<E>
    private let selected: _Selected<Row>

    fileprivate init(_ repository: GenericRepository<E, E.Record>, _ plan: QueryPlan, _ selected: _Selected<Row>) {
        _question = _Question(repository, plan)
        self.selected = selected
    }

    /// What stands for a row.
    public func _given(_ places: [ColumnPlace]) -> ColumnRef<Row> { ColumnRef(places[0].source) }

    /// What stands for the rows of a group.
    public static func _grouped(_ places: [ColumnPlace]) -> Rows<Row> { Rows(places[0].source) }

    /// The rows, with equal ones counted once: a selection again, that ``Selection/asQuery()`` makes a query of.
    public func distinct() -> Selection<E, Row> {
        asSelection().distinct()
    }

    /// The rows as a selection, for whatever takes one, such as the `in(_:)` of a column.
    public func asSelection() -> Selection<E, Row> {
        Selection(repository, plan, selected.reading(plan.table.columns.map { .column($0.name, of: nil) }))
    }
}

extension SelectedQuery: RowQuery {
    /// The rows as a selection.
    public var _rows: Selection<E, Row> { asSelection() }
}
