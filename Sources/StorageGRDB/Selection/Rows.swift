/// The rows of a query or of a group, to be summed up: in `aggregate`, and in the closures behind `group`.
///
/// ```swift
/// storage.query(Reminder.self).group(by: \.listId).select { ($0.listId, $0.count(), $0.max(\.dueDate)) }
/// // SELECT "listId", COUNT(*), MAX("dueDate") FROM "reminders" GROUP BY "listId"
/// ```
///
/// A key of the group is a column by its own name, as `$0.listId` is here.
@dynamicMemberLookup
public struct Rows<E: QueriedRow>: RowSet, HasColumns, Sendable {
    private let row: ColumnRef<E>

    package init(_ source: Source) {
        row = ColumnRef(source)
    }

    /// A key of the group, or what a key settles.
    public subscript<Member>(dynamicMember member: KeyPath<ColumnRef<E>, Member>) -> Member {
        row[keyPath: member]
    }

    /// The same, for a column whose name means something else of the rows: `$0[\.count]`.
    public subscript<Columns: ColumnRefMember>(_ columns: KeyPath<E.StorageColumns, Columns>) -> Columns {
        row[columns]
    }

    /// An expression in SQL of the app's, with keys and aggregates in it.
    ///
    /// - Parameters:
    ///   - text: The SQL.
    ///   - type: The type of its value; an optional one where it may be NULL.
    public func sql<T: ColumnValue>(_ text: SQLText, as type: T.Type) -> Column<T> {
        Column<T>(sql: text)
    }

    /// What is made of the rows. SQL: `COUNT(*)`, `MAX("c") FILTER (WHERE ...)`
    public func _aggregate<T>(_ make: (ColumnRef<E>) -> RowAggregate) -> Column<T> {
        Column(make(row).node(of: row.source))
    }
}
