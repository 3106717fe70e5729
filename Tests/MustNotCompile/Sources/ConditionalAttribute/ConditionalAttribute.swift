import StorageKit

@StorageEntity
struct User {
    var id: UUID
    #if DEBUG
    @StorageIgnored  // error: @StorageEntity cannot see @StorageIgnored inside #if
    #endif
    var token = ""
}
