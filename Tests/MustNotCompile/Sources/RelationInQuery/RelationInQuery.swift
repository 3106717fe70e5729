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
    var posts: [Post]
}

func find(_ storage: Storage) -> Query<User> {
    storage.query(User.self).where { $0.posts == "p" }  // error: there is no column of this name
}
