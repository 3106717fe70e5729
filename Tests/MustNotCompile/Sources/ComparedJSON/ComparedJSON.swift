import StorageKit

@StorageEntity
struct User {
    var id: String
    @StorageJSON
    var tags: [String]
}

func find(_ storage: Storage) -> Query<User> {
    storage.query(User.self).where { $0.tags == ["a"] }  // error: a column of JSON is not comparable as a whole
}
