import StorageKit

/// Public, unlike its key, which no other can stand in for.
// expansion fails too
@StorageEntity
public struct User {
    var id: String  // error: the primary key 'id' has to be public
}
