import StorageKit

func find(_ storage: Storage, _ name: String?) {
    _ = storage.query(User.self).where { $0.name == name }  // error: the value may be nil: unwrap it
}
