import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self).where { $0.name.in("a", "b") }  // error: the values are one list
}
