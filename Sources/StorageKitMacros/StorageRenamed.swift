/// Says what a property was called in earlier versions of the app, so that it keeps its data.
///
/// ```swift
/// @StorageEntity
/// struct Note {
///     var id: UUID
///     @StorageRenamed(from: "body", "content") var text: String
///     @StorageRenamed(from: "home") @StorageEmbedded var address: Address
/// }
/// // ALTER TABLE "notes" RENAME COLUMN "content" TO "text"
/// // ALTER TABLE "notes" RENAME COLUMN "home_street" TO "address_street"
/// ```
///
/// A file of any earlier version has one of the names. Of an embedded value all columns are renamed: a name that ends in an
/// underscore, or is empty, is the prefix that they had, and any other is the former name of the property.
///
/// - Parameter names: The names that the property had, the latest last. None of them may be a column of today's.
@attached(peer)
public macro StorageRenamed(from names: String...) =
    #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")
