import StorageKit

@StorageEntity
struct User {
    var id: String
    var made = Date()  // error: 'made' needs a type annotation
}
