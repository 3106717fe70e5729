import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(Note.self).where { $0.title.month == 5 }  // error: there is no column of this name
}
