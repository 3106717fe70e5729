import StorageKit

// expansion fails too
/// Public, unlike its key, which no other can stand in for.
@StorageEntity
public struct User {
    var id: String  // error: the primary key 'id' has to be public
}
