/// An entity that knows its record, so that calls need to name the entity only.
public protocol RegisteredEntity: StorageKitEntity, QueriedRow, SQLRow {
    /// The record that stands for a row.
    associatedtype Record: StorageKitEntityRecord where Record.E == Self
    /// A value with one typed ``Column`` a stored property, which query closures look their columns up in.
    associatedtype StorageColumns: Sendable = UntypedColumns
}

/// The columns of an entity that was conformed by hand. The compiler knows none of them; ``ColumnRef`` looks them up in the record.
public struct UntypedColumns: Sendable {
    init() {}
}

extension RegisteredEntity where StorageColumns == UntypedColumns {
    /// No typed columns.
    public static var storageColumns: UntypedColumns { UntypedColumns() }
}
