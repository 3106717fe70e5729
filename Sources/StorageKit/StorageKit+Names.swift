// Types whose names other modules have too. `StorageKit` is this type to the compiler, and not the module, so that they could not be
// named by it.

extension StorageKit {
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
