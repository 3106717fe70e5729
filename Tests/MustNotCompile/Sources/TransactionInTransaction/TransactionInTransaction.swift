import StorageKit

@StorageEntity
struct Note {
    var id: String
}

func save(_ note: Note, in storage: Storage) async throws {
    try await storage.transaction { tx in  // error: cannot pass function of type
        try tx.save(note)
        try await storage.transaction { inner in _ = try inner.save(note) }
    }
}
