import StorageKit

@StorageEntity
struct Post {
    var id: String
    var userId: String
}

@StorageEntity
struct User {
    var id: String
    @StorageHasMany(foreignKey: "userId")
    var posts: Post  // error: 'posts' has to be an array
}
