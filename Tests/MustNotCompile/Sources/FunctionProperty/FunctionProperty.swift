import StorageKit

@StorageEntity
struct User {
    var id: String
    var action: @Sendable () -> Void  // error: 'action' cannot be stored: a function
}
