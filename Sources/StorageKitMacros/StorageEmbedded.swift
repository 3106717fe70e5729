/// Spreads a value over columns of the entity's own table, one for each of its properties.
///
/// ```swift
/// struct Address: Codable, Sendable {
///     var street: String
///     var city: String
/// }
///
/// @StorageEntity
/// struct Customer {
///     var id: String
///     @StorageEmbedded(prefix: "shipping_")
///     var shippingAddress: Address
///     @StorageEmbedded
///     var billing: Address?
/// }
/// // "shipping_street" TEXT NOT NULL, "shipping_city" TEXT NOT NULL, "billing_street" TEXT, "billing_city" TEXT
///
/// storage.query(Customer.self).where { $0.shippingAddress.city == "Kyiv" && $0.billing == nil }
/// ```
///
/// The value is a struct that is `Codable` and `Sendable`, declared anywhere. Its columns are those that its Codable
/// conformance names, found once when the type is first used. A property that is such a struct itself is spread
/// too: `geo.latitude` becomes `shipping_geo_latitude`. What cannot be spread, an array say, is kept as JSON.
///
/// An optional value is nil when all its columns are NULL; a value whose properties are all nil therefore reads
/// back as nil.
///
/// Queries reach the columns as `$0.shippingAddress.city`, as `Column<String>("shipping_city")`, or by the name of
/// the column without underscores, `$0.shippingCity`. The compiler checks the last one where the struct is nested
/// in the entity; elsewhere the query throws if there is no such column.
///
/// - Parameter prefix: What the names of the columns begin with; nil for the property's name and an underscore.
///   It may be empty.
@attached(peer)
public macro StorageEmbedded(prefix: String? = nil) =
    #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")
