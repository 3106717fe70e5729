import StorageKit

@StorageEntity
struct Reminder {
    var id: UUID
    @StorageIgnored
    var isExpanded = false
}

func expanded(_ storage: Storage) -> Query<Reminder> {
    storage.query(Reminder.self).where { $0.isExpanded == true }  // error: there is no column of this name
}
