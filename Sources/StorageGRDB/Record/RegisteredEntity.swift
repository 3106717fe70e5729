/// An entity that knows its record, so that calls need to name the entity only.
public protocol RegisteredEntity: StorageKitEntity, QueriedRow, SQLRow {
    /// The record that stands for a row.
    associatedtype Record: StorageKitEntityRecord where Record.E == Self
    /// A value with one typed ``Column`` a stored property, which query closures look their columns up in.
    associatedtype StorageColumns: Sendable = UntypedColumns
}
