/// A row of a joined table, as the closures of a ``JoinedQuery`` are given it: a ``ColumnRef``, or an ``OptionalToOne`` where there may be
/// none.
///
/// Conformed to by StorageKit's types.
public protocol JoinedRow<Value>: Selectable where Value: Sendable {
    /// What the closures of groups are given for the rows of a group.
    associatedtype Grouped

    /// The row that a source stands for.
    static func _row(_ place: ColumnPlace) -> Self
    /// The rows of a group that a source stands for.
    static func _rows(_ place: ColumnPlace) -> Grouped
}

extension ColumnRef: JoinedRow where E: RegisteredEntity {
    /// The rows of a group.
    public typealias Grouped = Rows<E>

    /// The row that a source stands for.
    public static func _row(_ place: ColumnPlace) -> ColumnRef { ColumnRef(place.source) }

    /// The rows of a group that a source stands for.
    public static func _rows(_ place: ColumnPlace) -> Rows<E> { Rows(place.source) }
}

extension OptionalToOne: JoinedRow {
    /// The rows of a group.
    public typealias Grouped = OptionalRows<P>

    /// The row that a source stands for, if there is one.
    public static func _row(_ place: ColumnPlace) -> OptionalToOne { OptionalToOne(RowWay(.join(place.source))) }

    /// The rows of a group that a source stands for.
    public static func _rows(_ place: ColumnPlace) -> OptionalRows<P> { OptionalRows(place.source) }
}
