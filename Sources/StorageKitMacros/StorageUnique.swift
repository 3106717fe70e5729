/// Refuses a second row with the same value in a column.
///
/// ```swift
/// @StorageEntity
/// struct Article {
///     var id: UUID
///     @StorageUnique(ignoringCase: true) var slug: String
///     @StorageUnique var isbn: String?
/// }
/// // CREATE UNIQUE INDEX ... ON "articles"("slug" COLLATE NOCASE)
/// // CREATE UNIQUE INDEX ... ON "articles"("isbn")
/// ```
///
/// A save that breaks it throws ``StorageError/constraintViolated(_:)`` and changes nothing; `save(_:onConflict:)` updates the row
/// that is there instead. As in SQL, any number of rows may have nil. For a key of several columns see
/// ``StorageEntity(table:indexes:unique:renamedFrom:)``.
///
/// - Parameter ignoringCase: Whether `a` and `A` are the same. Of letters outside of ASCII, each case is another letter.
@attached(peer)
public macro StorageUnique(ignoringCase: Bool = false) =
    #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")
