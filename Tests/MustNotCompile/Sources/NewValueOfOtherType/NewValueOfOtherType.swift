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

func write(_ storage: Storage) async throws {
    try await storage.query(Note.self).updateAll { [$0.position.set(to: $0.folder.title)] }  // error: no column of this
}
