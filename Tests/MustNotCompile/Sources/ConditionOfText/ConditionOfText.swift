import StorageKit

@StorageEntity
struct User {
    var id: UUID
    var name: String
    var nick: String?
    var age: Int
}

func find(_ storage: Storage) {
    _ = storage.query(User.self).where { "age > 3" }  // error: a condition is made of columns
}
