public import StorageRepo

/// A question to several tables whose rows stand side by side: what `join` and `leftJoin` of a ``Query`` return. Each step returns a
/// new value.
///
/// ```swift
/// storage.query(Reminder.self)
///     .join(Person.self) { reminder, person in reminder.notes.contains(person.name) }
///     .where { reminder, person in reminder.isFlagged }
///     .orderBy { reminder, person in person.name }
/// ```
///
/// Each closure is given a row of each table, in the order in which they were joined. `fetch` gives the entities themselves, as tuples:
/// `[(Reminder, Person)]`, and `[(Reminder, Person?)]` behind a `leftJoin`; `select` gives less, `group` and
/// `aggregate` put rows together. A row is known by the ids of all its entities.
public struct JoinedQuery<E: RegisteredEntity, Rows: JoinedRows>: TableQuery {
    /// What is asked so far, and of which store.
    public var _question: _Question<E>

    init(_ repository: GenericRepository<E, E.Record>, _ plan: QueryPlan) {
        _question = _Question(repository, plan)
    }

    /// What stands for a row of each table.
    public func _given(_ places: [ColumnPlace]) -> Rows.Row { Rows._row(places) }

    /// What stands for the rows of a group.
    public static func _grouped(_ places: [ColumnPlace]) -> Rows.Grouped { Rows._rows(places) }
}

extension JoinedQuery: RowQuery {
    /// The entities of each row, as a selection.
    public var _rows: Selection<E, Rows.Values> { selecting { Rows._selected($0) } }
}
