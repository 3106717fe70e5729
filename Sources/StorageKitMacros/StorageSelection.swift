import StorageGRDB

/// Makes a struct something that a query can select: generates its `columns` function, which takes what each property is to be.
///
/// ```swift
/// @StorageSelection
/// struct CityRow: Equatable {
///     let city: String
///     let people: Int
///     let eldest: Int?
/// }
///
/// let rows = try await storage.query(User.self).group(by: \.city)
///     .select { CityRow.columns(city: $0.city, people: $0.count(), eldest: $0.max(\.age)) }
///     .fetch()
/// // SELECT "city", COUNT(*), MAX("age") FROM "users" GROUP BY "city"
/// ```
///
/// The rows of a statement in SQL become such structs too, by the names of the columns: `storage.sql("SELECT ...", as: CityRow.self)`.
///
/// A further query asks its rows, `asQuery()`: its closures know the properties as columns.
///
/// A property may be of any type that a column has, an entity, the optional of one, or another such struct. A constant with a value
/// keeps it and is not selected. For one that may be nil, what never is says `$0.age.optional`. The struct has to be `Sendable`, which a public one says itself.
@attached(
    member, names: named(columns), named(_reading), named(init), named(StorageColumns), named(storageColumns),
    named(_layout))
@attached(extension, conformances: SelectedStruct)
public macro StorageSelection() =
    #externalMacro(module: "StorageKitMacrosPlugin", type: "StorageSelectionMacro")
