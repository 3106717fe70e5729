/// Keeps a property out of the table.
///
/// ```swift
/// @StorageEntity
/// struct Reminder {
///     var id: UUID
///     var title: String
///     @StorageIgnored var isExpanded = false
/// }
/// // CREATE TABLE "reminders" ("id" TEXT PRIMARY KEY, "title" TEXT NOT NULL, ...)
/// ```
///
/// An entity that is read from a row has the property's default value, which it therefore needs; of an optional `var` that is nil. The
/// property is left out when entities are compared and in their JSON, may be of any `Sendable` type, and is a parameter with a default value of
/// the generated initialisers.
///
/// The macro writes the `CodingKeys` of such an entity, unless the struct has its own, which then leave the property out or need its type
/// to be `Codable`.
@attached(peer)
public macro StorageIgnored() = #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")
