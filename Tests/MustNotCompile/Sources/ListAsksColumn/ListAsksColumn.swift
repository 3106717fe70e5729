import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self).where { ["a", "b"].contains($0.name) }  // error: the column stands first
}
