import StorageKit

func write(_ storage: Storage) async throws {
    try await storage.query(Note.self).updateAll { [$0.position.set(to: $0.folder.title)] }  // error: of another type
}
