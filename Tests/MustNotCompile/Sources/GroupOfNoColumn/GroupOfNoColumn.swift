import StorageKit

@StorageEntity
struct Reminder {
    var id: UUID
    var title: String
}

func find(_ storage: Storage, weight: Decimal) -> Selection<Reminder, Int> {
    storage.query(Reminder.self)
        .group { ($0.title, weight) }  // error: not convertible to tuple type
        .select { $0.count() }
}
