import StorageKit

@StorageEntity
struct User {
    var id: UUID
    var name: String
    var nick: String?
    var age: Int
}

func find(_ storage: Storage, _ name: String?) {
    _ = storage.query(User.self).where { $0.name == name }  // error: the value may be nil: unwrap it
}
