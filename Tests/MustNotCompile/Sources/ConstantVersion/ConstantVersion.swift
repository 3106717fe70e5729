import StorageKit

@StorageEntity
struct User {
    var id: String
    @StorageVersion
    let version: Int  // error: the version 'version' has to be a 'var'
}
