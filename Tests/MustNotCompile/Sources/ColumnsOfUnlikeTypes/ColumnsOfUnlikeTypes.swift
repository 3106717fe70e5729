import StorageKit

func find(_ storage: Storage) {
    let notes = storage.query(Note.self)
    _ = notes.where { $0.dueDate != nil && $0.title > $0.position }  // error: the two are of unlike types
}
