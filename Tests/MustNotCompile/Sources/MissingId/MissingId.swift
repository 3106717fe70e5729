import StorageKit

@StorageEntity
struct User {  // error: 'User' needs a stored property 'id'
    var name: String
}
