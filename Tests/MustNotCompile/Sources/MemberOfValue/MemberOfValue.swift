import StorageKit

@StorageEntity
struct Note {
    var id: UUID
    var title: String
}

func find(_ storage: Storage) -> Query<Note> {
    storage.query(Note.self).where { $0.title.isEmpty }  // error: a column has no such member
}
