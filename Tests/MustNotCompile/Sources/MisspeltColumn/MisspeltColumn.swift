import StorageKit

@StorageEntity
struct User {
    var id: String
    var name: String
}

func find(_ storage: Storage) -> Query<User> {
    storage.query(User.self).where { $0.nmae == "Ada" }  // error: there is no column of this name
}
