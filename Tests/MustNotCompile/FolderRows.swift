import StorageKit

@StorageSelection
struct Row {
    let folder: Folder
    let count: Int
    let notes: [Note]
}

func rows(_ storage: Storage) -> SelectedQuery<Folder, Row> {
    storage.query(Folder.self).select { Row.columns(folder: $0, count: $0.notes.count(), notes: $0.notes) }.asQuery()
}
