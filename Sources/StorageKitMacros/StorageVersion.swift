/// Counts how often an entity was written, so that nobody undoes what somebody else wrote meanwhile.
///
/// ```swift
/// @StorageEntity
/// struct Document {
///     var id: UUID
///     var text: String
///     @StorageVersion
///     var version = 0
/// }
/// // CREATE TABLE "documents" (..., "version" INTEGER NOT NULL, ...)
///
/// guard var document = try await storage.get(Document.self, id: id) else { return }
/// document.text += "!"
/// try await storage.save(document)    // throws StorageError.conflict if the document was written since it was read
/// ```
///
/// A save, update or delete of an entity whose row has another version throws
/// ``StorageError/conflict(type:id:expected:found:)`` with both versions and changes nothing: read the entity again, or ask
/// whoever edits it. Each write counts the version up. 0 is the version of an entity that was never stored; an insert stores 1.
///
/// Each `updateAll` counts up too, and throws if it is to set the column. Rows that are there when auto-schema adds the column
/// get version 1.
///
/// The property is a `var` of type `Int`, in a struct that has one such property. A default value can only be 0.
@attached(peer)
public macro StorageVersion() = #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")
