import StorageGRDB

/// Makes a struct an entity: generates its record, its typed columns and its codec.
///
/// ```swift
/// @StorageEntity
/// struct User {
///     var id: String
///     var name: String
///     var birthday: Date?
/// }
/// // CREATE TABLE "users" ("id" TEXT PRIMARY KEY, "name" TEXT NOT NULL, "birthday" DATETIME,
/// //                       "updatedAt" DATETIME NOT NULL)
/// ```
///
/// The struct needs a stored property `id`. Stored properties become columns, in their order; an `updatedAt`
/// column follows that each save stamps, unless the struct has a property of that name.
///
/// - Parameter table: The name of the table; nil for the struct's name in lowercase with an "s" (`users`).
@attached(
    extension, conformances: RegisteredEntity,
    names: named(Record), named(StorageColumns), named(storageColumns), named(init), named(_encode))
@attached(peer, names: suffixed(Record))
public macro StorageEntity(table: String? = nil) =
    #externalMacro(module: "StorageKitMacrosPlugin", type: "StorageEntityMacro")
