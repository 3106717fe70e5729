/// Keeps a property as JSON in one TEXT column.
///
/// ```swift
/// @StorageEntity
/// struct Product {
///     var id: String
///     @StorageJSON
///     var attributes: [String: String]       // {"colour":"silver"}
///     @StorageJSON
///     var extra: AnyCodable?                  // NULL for nil
/// }
/// ```
///
/// The coders are those of the store's ``StorageConfig``; records that GRDB itself fetches and inserts use the
/// default ones. A JSON column is not compared as a whole. A value that has no JSON form, such as an infinite
/// number, makes the save throw before anything is written.
///
/// A `Codable` type without a column form of its own becomes JSON without the attribute too; with it, any type does.
@attached(peer)
public macro StorageJSON() = #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")
