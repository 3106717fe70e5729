import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(Folder.self).where {
        $0.title.in(storage.query(Note.self).select(\.position))  // error: there is no column of this name
    }
}
