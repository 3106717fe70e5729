/// An entity whose row counts how often it was written: what `@StorageVersion` makes of one.
///
/// A save of an entity whose row has another version than the entity throws ``StorageError/conflict(type:id:expected:found:)``.
public protocol VersionedEntity: ReturnedBySave {
    /// The version that was read; 0 for an entity that was never stored.
    var _version: Int { get set }
    /// The name of its column.
    static var _versionColumn: String { get }
}

extension RecordTable {
    /// The version of an entity; nil where its type has none.
    func version(of entity: R.E) -> Int? {
        sql.versionColumn == nil ? nil : (entity as? any VersionedEntity)?._version
    }

    /// The same entity with another version.
    func entity(_ entity: R.E, withVersion version: Int) -> R.E {
        guard var versioned = entity as? any VersionedEntity else { return entity }
        versioned._version = version
        return versioned as? R.E ?? entity
    }
}
