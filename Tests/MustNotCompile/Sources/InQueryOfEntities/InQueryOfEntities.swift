import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(Folder.self).where { $0.id.in(storage.query(Note.self)) }  // error: conform to 'Sequence'
}
