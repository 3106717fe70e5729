import StorageKit

@StorageEntity
struct Reminder {
    var id: UUID
    var title: String
}

func find(_ storage: Storage) async throws {
    _ = try await storage.query(Reminder.self)
        .select { ($0.id, $0.titel) }  // error: there is no column of this name
        .fetch()
}
