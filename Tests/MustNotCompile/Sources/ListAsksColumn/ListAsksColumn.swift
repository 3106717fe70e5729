import StorageKit

@StorageEntity
struct User {
    var id: UUID
    var name: String
    var nick: String?
    var age: Int
}

func find(_ storage: Storage) {
    _ = storage.query(User.self).where { ["a", "b"].contains($0.name) }  // error: the column stands first
}
