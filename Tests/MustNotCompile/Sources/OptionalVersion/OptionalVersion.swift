import StorageKit

@StorageEntity
struct User {
    var id: String
    @StorageVersion
    var version: Int?  // error: the version 'version' has to be an 'Int'
}
