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
    var title: String
    var position: Int
    var dueDate: Date?
    @StorageBelongsTo(foreignKey: "folderId")
    var folder: Folder?
}

@StorageSelection
struct Row {
    let title: String
    let position: String
}

func select(_ storage: Storage) {
    _ = storage.query(Note.self).select { Row.columns(title: $0.title, position: $0.position) }  // error: no column
}
