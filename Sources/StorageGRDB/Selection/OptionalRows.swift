/// The rows of a group that a `leftJoin` found, to be summed up: those rows that have none beside them count for nothing.
///
/// ```swift
/// lists.leftJoin(Reminder.self) { list, reminder in reminder.listId == list.id }
///     .group { list, _ in list.id }.select { list, reminder in (list.title, reminder.count(), reminder.max(\.dueDate)) }
/// // SELECT "reminderslists"."title", COUNT("reminders"."id"), MAX("reminders"."dueDate") FROM "reminderslists"
/// // LEFT JOIN "reminders" ON ... GROUP BY "reminderslists"."id"
/// ```
///
/// A key of the group is a column by its own name, which may be nil.
@dynamicMemberLookup
public struct OptionalRows<P: RegisteredEntity>: RowSet, HasColumns, Sendable {
    /// The entity whose rows they are.
    public typealias E = P

    private let source: Source

    package init(_ source: Source) {
        self.source = source
    }

    private var row: OptionalToOne<P> { OptionalToOne(RowWay(.join(source))) }

    /// A key of the group, or what a key settles; nil where there is no row.
    public subscript<Member>(dynamicMember member: KeyPath<OptionalToOne<P>, Member>) -> Member {
        row[keyPath: member]
    }

    /// The same, for a column whose name means something else of the rows: `$0[\.count]`.
    public subscript<T>(_ column: KeyPath<P.StorageColumns, Column<T>>) -> Column<T?> {
        row[dynamicMember: \ColumnRef<P>.[column]]
    }

    /// The same, for a column that may be NULL.
    public subscript<T>(_ column: KeyPath<P.StorageColumns, Column<T?>>) -> Column<T?> {
        row[dynamicMember: \ColumnRef<P>.[column]]
    }

    /// What is made of the rows that are there.
    public func _aggregate<T>(_ make: (ColumnRef<P>) -> RowAggregate) -> Column<T> {
        let row = ColumnRef<P>(source)
        return Column(make(row).ofThose(in: row).node(of: row.source))
    }
}
