import StorageKit

@StorageEntity
struct User {
    var id: String
    @StorageJSON
    var tags: [String]
}

func find(_ storage: Storage) -> Query<User> {
    storage.query(User.self).where { $0.tags == ["a"] }  // error: operands of type 'JSONColumn<[String]>'
}
