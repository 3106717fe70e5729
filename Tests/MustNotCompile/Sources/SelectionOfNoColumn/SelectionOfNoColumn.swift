import StorageKit

@StorageEntity
struct Note {
    var id: Int
    var title: String
}

func rows(_ storage: Storage) {
    _ = storage.query(Note.self).select { ($0.title, Character("x")) }  // error: cannot conform to 'Selectable'
}
