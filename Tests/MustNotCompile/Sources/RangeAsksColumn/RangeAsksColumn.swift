import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self).where { (18...65).contains($0.age) }  // error: the column stands first
}
