import StorageKit

@StorageSelection
struct Row {
    let title: String
    let position: String
}

func select(_ storage: Storage) {
    _ = storage.query(Note.self).select { Row.columns(title: $0.title, position: $0.position) }  // error: no column
}
