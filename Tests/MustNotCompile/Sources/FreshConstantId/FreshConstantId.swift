import StorageKit

@StorageEntity
struct User {
    let id: UUID = UUID()  // error: 'id' may not read back as it was saved
}
