import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self).where { "age > 3" }  // error: a condition is made of columns
}
