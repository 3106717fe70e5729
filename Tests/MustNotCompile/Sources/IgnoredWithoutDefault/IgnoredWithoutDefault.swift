import StorageKit

@StorageEntity
struct Reminder {
    var id: UUID
    @StorageIgnored
    var isExpanded: Bool  // error: 'isExpanded' needs a default value
}
