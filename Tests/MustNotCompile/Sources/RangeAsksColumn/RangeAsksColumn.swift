import StorageKit

@StorageEntity
struct User {
    var id: UUID
    var name: String
    var nick: String?
    var age: Int
}

func find(_ storage: Storage) {
    _ = storage.query(User.self).where { (18...65).contains($0.age) }  // error: the column stands first
}
