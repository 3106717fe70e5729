import StorageKit

@StorageEntity
struct User {
    var id: String
    @StorageVersion
    var version: Int
    @StorageVersion  // error: an entity has one version
    var edition: Int
}
