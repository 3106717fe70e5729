/// The columns of an embedded value that may be missing, because its property is optional or because it stands at the end of a path
/// that may lead to no row: `$0.assignee.address.city`. What follows is nil then.
@dynamicMemberLookup
public struct OptionalEmbeddedColumns<Root: Codable & Sendable, Wrapped>: HasColumns, Sendable {
    let columns: EmbeddedColumns<Root, Wrapped>

    /// The column of a property.
    public subscript<T>(dynamicMember column: KeyPath<EmbeddedColumns<Root, Wrapped>, Column<T>>) -> Column<T?> {
        Column(columns[keyPath: column].node)
    }

    /// The column of a property that may be missing.
    public subscript<T>(dynamicMember column: KeyPath<EmbeddedColumns<Root, Wrapped>, Column<T?>>) -> Column<T?> {
        columns[keyPath: column]
    }

    /// The columns of a value inside the value.
    public subscript<T>(
        dynamicMember deeper: KeyPath<EmbeddedColumns<Root, Wrapped>, EmbeddedColumns<Root, T>>
    ) -> OptionalEmbeddedColumns<Root, T> {
        OptionalEmbeddedColumns<Root, T>(columns: columns[keyPath: deeper])
    }

    /// The columns of a value inside the value that may be missing.
    public subscript<T>(
        dynamicMember deeper: KeyPath<EmbeddedColumns<Root, Wrapped>, OptionalEmbeddedColumns<Root, T>>
    ) -> OptionalEmbeddedColumns<Root, T> {
        columns[keyPath: deeper]
    }
}

extension OptionalEmbeddedColumns: ColumnRefMember {
    /// The same columns, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> OptionalEmbeddedColumns {
        OptionalEmbeddedColumns(columns: columns._rooted(at: place))
    }
}
