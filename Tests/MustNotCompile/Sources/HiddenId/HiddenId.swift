import StorageKit

/// Public, unlike its key.
@StorageEntity
public struct User {
    var id: String  // error: the primary key 'id' has to be public
}
