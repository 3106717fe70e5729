import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self).where { $0.nmae.hasPrefix("x") }  // error: there is no column of this name
}
