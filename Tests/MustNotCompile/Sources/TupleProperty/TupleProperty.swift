import StorageKit

@StorageEntity
struct User {
    var id: String
    var point: (Int, Int)  // error: 'point' cannot be stored: a tuple
}
