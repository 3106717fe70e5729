import StorageKit

@StorageEntity
struct Note {
    var id: UUID
    var body: String
    @StorageRenamed(from: "body")  // error: 'text' cannot be renamed from 'body'
    var text: String
}
