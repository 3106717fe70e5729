import StorageKit

@StorageEntity
struct Folder {
    var id: Int
}

@StorageEntity
struct Document {
    var id: Int
    @StorageReference(Folder.self, onDelete: .setDefault)  // error: 'folderId' needs a default value
    var folderId: Int
}
