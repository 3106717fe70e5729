import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(Note.self).join(Folder.self) { note, folder in
        folder.title  // error: there is no column of this name
    }
}
