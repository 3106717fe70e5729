import StorageKit

@StorageEntity
struct Folder {
    var id: Int
}

@StorageEntity
struct Document {
    var id: Int
    @StorageReference(Folder.self)
    var folderId: Int
}

func documents(_ storage: Storage) -> Query<Document> {
    storage.query(Document.self).where { $0.folder != nil }  // error: the row is always there
}
