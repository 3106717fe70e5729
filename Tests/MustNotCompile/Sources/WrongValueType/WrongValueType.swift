import StorageKit

@StorageEntity
struct User {
    var id: String
    var age: Int
}

func find(_ storage: Storage) -> Query<User> {
    storage.query(User.self).where { $0.age == "42" }  // error: the column is of another type than the value
}
