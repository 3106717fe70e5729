import StorageKit

@StorageSelection
struct Row {
    let title: String
    let position: Int
}

func select(_ storage: Storage) {
    _ = storage.query(Note.self).select { Row.columns(title: $0.title) }  // error: missing argument for parameter
}
