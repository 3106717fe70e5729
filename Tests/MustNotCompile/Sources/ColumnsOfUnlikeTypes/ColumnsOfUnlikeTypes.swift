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

func find(_ storage: Storage) {
    let notes = storage.query(Note.self)
    _ = notes.where { $0.dueDate != nil && $0.title > $0.position }  // error: the two are of unlike types
}
