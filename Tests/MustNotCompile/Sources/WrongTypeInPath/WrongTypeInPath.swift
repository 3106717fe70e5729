import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(Note.self).where { $0.folder.title == 5 }  // error: the column is of another type than the value
}
