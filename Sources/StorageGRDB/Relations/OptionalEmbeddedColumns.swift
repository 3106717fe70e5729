/// The columns of an embedded value at the end of a path that may lead to no row: `$0.assignee.address.city`, which is nil
/// then.
@dynamicMemberLookup
public struct OptionalEmbeddedColumns<Root: Codable & Sendable, Value>: Sendable {
    let columns: EmbeddedColumns<Root, Value>

    /// The column of a property that may be missing.
    public subscript<T>(dynamicMember column: KeyPath<EmbeddedColumns<Root, Value>, Column<T?>>) -> Column<T?> {
        columns[keyPath: column]
    }

    /// The column of a property.
    public subscript<T>(dynamicMember column: KeyPath<EmbeddedColumns<Root, Value>, Column<T>>) -> Column<T?> {
        Column(columns[keyPath: column].node)
    }

    /// The columns of a value inside the value.
    public subscript<T>(
        dynamicMember deeper: KeyPath<EmbeddedColumns<Root, Value>, EmbeddedColumns<Root, T>>
    ) -> OptionalEmbeddedColumns<Root, T> {
        OptionalEmbeddedColumns<Root, T>(columns: columns[keyPath: deeper])
    }
}
