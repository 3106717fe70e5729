import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(Note.self).join(Folder.self) { note, folder in
        folder.title  // error: no column of this name and type
    }
}
