// Types whose names other modules, or apps, have too. `StorageKit` is this type to the compiler, and not the module, so that they could
// not be named by it.

extension StorageKit {
    /// The facade, beside an app's own `Storage`.
    public typealias Storage = _Storage
    /// A query of entities, beside an app's own `Query`.
    public typealias Query = _Query
    /// A live query, beside an app's own `LiveQuery`.
    public typealias LiveQuery = _LiveQuery
    /// A live window, beside an app's own `LiveWindow`.
    public typealias LiveWindow = _LiveWindow
    /// The type of `$0.name` in conditions, beside GRDB's `Column`.
    public typealias Column = StorageGRDB.Column
    /// A condition, beside Foundation's `Predicate`.
    public typealias Predicate = StorageGRDB.Predicate
    /// The direction of a sort, beside Foundation's `SortOrder`.
    public typealias SortOrder = StorageCore.SortOrder
    /// The source of time, beside Swift's `Clock`.
    public typealias Clock = StorageCore.Clock
    /// Settings of migrations.
    public typealias Options = StorageGRDB.Options
}

// Within the type, the short names are those above.

/// Not to be written: ``StorageKit/Storage``.
public typealias _Storage = Storage
/// Not to be written: ``StorageKit/Query``.
public typealias _Query = Query
/// Not to be written: ``StorageKit/LiveQuery``.
public typealias _LiveQuery = LiveQuery
/// Not to be written: ``StorageKit/LiveWindow``.
public typealias _LiveWindow = LiveWindow
