import StorageKit

@StorageEntity
struct User {
    let id: UUID = UUID()  // error: 'id' would not read back as it was saved
}
