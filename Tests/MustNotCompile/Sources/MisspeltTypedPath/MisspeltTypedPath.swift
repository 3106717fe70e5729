import StorageKit

@StorageEntity
struct Reminder {
    var id: UUID
    var title: String
}

func find(_ storage: Storage) -> Selection<Reminder, String> {
    storage.query(Reminder.self).select(\.titel)  // error: subscript index of type 'NoColumnOfThisNameAndType'
}
