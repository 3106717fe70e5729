import StorageKit

@StorageEntity
struct Folder {
    var id: Int
    var title: String
    @StorageHasMany(foreignKey: "folderId")
    var notes: [Note]
}

@StorageEntity
struct Note {
    var id: Int
    @StorageReference(Folder.self)
    var folderId: Int
}

@StorageSelection
struct Row {
    let folder: Folder
    let count: Int
    let notes: [Note]
}

func rows(_ storage: Storage) -> SelectedQuery<Folder, Row> {
    storage.query(Folder.self).select { Row.columns(folder: $0, count: $0.notes.count(), notes: $0.notes) }.asQuery()
}

func ask(_ storage: Storage) {
    _ = rows(storage).where { $0.notes.count > 1 }  // error: there is no column of this name and type
}
