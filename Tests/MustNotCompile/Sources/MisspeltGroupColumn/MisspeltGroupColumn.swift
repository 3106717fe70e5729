import StorageKit

@StorageEntity
struct Reminder {
    var id: UUID
    var title: String
}

func find(_ storage: Storage) -> Selection<Reminder, Int> {
    storage.query(Reminder.self).group(by: \.title)
        .having { $0.titel == "a" }  // error: there is no column of this name
        .select { $0.count() }
}
