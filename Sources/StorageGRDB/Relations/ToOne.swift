/// The row of another entity that each row refers to: a path to its columns, without a join that is spelled.
///
/// ```swift
/// storage.query(Reminder.self).where { $0.list.title == "Home" }.orderBy(\.list.position)
/// // ... FROM "reminders" JOIN "reminderslists" "list" ON "list"."id" = "reminders"."listId" WHERE "list"."title" = ?
/// ```
///
/// There is always such a row: the key may not be nil, and SQLite enforces the reference. Otherwise the path is an
/// ``OptionalToOne``. One path is joined once, however often it is used. In a query of selected rows an entity among them is such a row.
@dynamicMemberLookup
public struct ToOne<P: RegisteredEntity>: ColumnRefMember, HasColumns {
    let way: RowWay

    /// The relation of a key that refers to the other's id.
    ///
    /// - Parameters:
    ///   - name: What the relation is called.
    ///   - key: The column that refers to the other.
    public init(_ name: String, key: String) {
        way = RowWay(.key(key, name: name, isOptional: false))
    }

    /// The relation of a key that refers to the other's id, with the entity's property for the other.
    public init<Owner: RegisteredEntity>(
        _ name: String, key: String, property: any WritableKeyPath<Owner, P?> & Sendable
    ) {
        let loaded = LoadedToOne<Owner, P>(path: property, key: key)
        way = RowWay(.key(key, name: name, isOptional: false, loaded: loaded))
    }

    init(_ way: RowWay) {
        self.way = way
    }

    /// The rows that are referred to.
    package var row: ColumnRef<P> { way.rows(of: P.self) }

    /// The same relation, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> ToOne<P> { ToOne(way.rooted(at: place)) }

    /// A column or a relation of the other, or what the app adds to its columns: `$0.list.title`, `$0.reminder.isOpen`.
    public subscript<Member: ColumnRefMember>(dynamicMember member: KeyPath<ColumnRef<P>, Member>) -> Member {
        let row = row
        return row[keyPath: member]._rooted(at: ColumnPlace(row.source))
    }
}
