import StorageKit

@StorageEntity
struct Owner {
    var id: String
}

@StorageEntity
struct User {
    var id: String
    var ownerId: String
    @StorageBelongsTo
    var owner: Owner  // error: 'owner' has to be optional
}
