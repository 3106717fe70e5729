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
/// column follows that each save stamps, `$0.updatedAt` in queries, unless the struct has a property of that name.
/// A property may be of
///
/// - a type with a column form of its own: integers, floating-point numbers, `Decimal`, `String`, `Bool`, `Date`,
///   `Data`, `UUID`, `URL`, and whatever conforms to ``ColumnValue``;
/// - a `RawRepresentable` type, such as an enum of strings, which is kept as its raw value;
/// - any other `Codable` type, which is kept as JSON;
/// - the optional of any of these, nil being NULL.
///
/// ``StorageEmbedded(prefix:)`` spreads a value over several columns, ``StorageJSON()`` keeps it as JSON whatever
/// its type, ``StorageHasMany(foreignKey:)`` and ``StorageBelongsTo(foreignKey:)`` are no columns at all.
/// ``StorageVersion()`` makes one count how often the row was written. ``StorageIgnored()`` keeps one out of the table.
///
/// An `id` of type `Int64?` or `Int?` is one that SQLite gives: see ``EntityWithGivenId``.
///
/// Indexes and unique keys name their columns; a name that is no column does not compile. ``StorageReference(_:onDelete:onUpdate:as:)``,
/// ``StorageUnique(ignoringCase:)`` and ``StorageRenamed(from:)`` say the rest beside the property:
///
/// ```swift
/// @StorageEntity(indexes: [["listId", "position"], ["dueDate"]], unique: [["listId", "title"]], renamedFrom: "tasks")
/// struct Reminder {
///     var id: UUID
///     var listId: UUID
///     var title: String
///     var position: Int
///     var dueDate: Date?
/// }
/// // CREATE INDEX ... ON "reminders"("listId", "position")
/// // CREATE INDEX ... ON "reminders"("dueDate")
/// // CREATE UNIQUE INDEX ... ON "reminders"("listId", "title")
/// ```
///
/// - Parameters:
///   - table: The name of the table; nil for the struct's name in lowercase with an "s" (`users`).
///   - indexes: The columns of each index. A column of an embedded value that is declared elsewhere is checked by the start.
///   - unique: The columns of each unique key: no two rows have the same values in all of them. As in SQL, nil is the same as nothing.
///   - formerNames: The names that the table had in earlier versions of the app, the latest last. It keeps its rows.
@attached(
    extension, conformances: RegisteredEntity, GeneratedEntity, EntityWithGivenId, VersionedEntity, ComparedByParts,
    CodedByProperties,
    names: named(Record), named(init), named(_decode), named(_encode), named(_isEqual), named(_version),
    named(_versionColumn), named(_encodeProperties))
@attached(
    member,
    names: named(id), named(init), named(_default), named(StorageColumns), named(storageColumns),
    named(_HiddenColumns), named(_describe), named(_decode), named(_encodeDefaults), named(CodingKeys))
@attached(peer, names: suffixed(Record))
public macro StorageEntity(
    table: String? = nil, indexes: [[String]] = [], unique: [[String]] = [], renamedFrom formerNames: String...
) =
    #externalMacro(module: "StorageKitMacrosPlugin", type: "StorageEntityMacro")
