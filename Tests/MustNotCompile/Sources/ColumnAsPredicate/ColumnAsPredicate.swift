import StorageKit

@StorageEntity
struct User {
    var id: String
    var age: Int
}

func find(_ storage: Storage) -> Query<User> {
    storage.query(User.self).where { $0.age && $0.id == "a" }  // error: there is no column of this name
}
