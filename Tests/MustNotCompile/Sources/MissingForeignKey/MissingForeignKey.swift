import StorageKit

@StorageEntity
struct Owner {
    var id: String
}

@StorageEntity
struct User {
    var id: String
    @StorageBelongsTo  // error: 'User' has no property 'ownerId'
    var owner: Owner?
}
