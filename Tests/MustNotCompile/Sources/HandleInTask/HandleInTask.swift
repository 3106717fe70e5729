import StorageKit

@StorageEntity
struct Note {
    var id: String
}

func save(_ note: Note, in storage: Storage) async throws {
    try await storage.transaction { tx in
        Task { try tx.save(note) }  // error: passing closure as a 'sending' parameter risks causing data races
        return
    }
}
