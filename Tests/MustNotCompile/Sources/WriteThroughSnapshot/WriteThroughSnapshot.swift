import StorageKit

@StorageEntity
struct Note {
    var id: String
}

func clear(_ storage: Storage) async throws {
    try await storage.snapshot { tx in
        _ = try storage.query(Note.self).deleteAll(in: tx)  // error: cannot convert value of type 'StorageSnapshot'
    }
}
