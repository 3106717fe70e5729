import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(Folder.self).where { $0.notes.exists { $0.position == "a" } }  // error: of another type
}
