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
