import StorageKit

@StorageEntity
struct User {
    var id: String?  // error: the primary key 'id' cannot be optional
}
