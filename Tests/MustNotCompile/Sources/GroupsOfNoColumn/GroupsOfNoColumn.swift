import StorageKit

@StorageEntity
struct Note {
    var id: Int
    var title: String
}

func groups(_ storage: Storage) {
    _ = storage.query(Note.self).group { ($0.title, "x") }  // error: could not be inferred
}
