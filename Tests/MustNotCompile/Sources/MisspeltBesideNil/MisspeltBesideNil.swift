import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self).where { $0.nmae == nil }  // error: there is no column of this name
}
