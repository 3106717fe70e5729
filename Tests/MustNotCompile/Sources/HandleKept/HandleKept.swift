import StorageKit

func keep(_ storage: Storage) async throws -> any Sendable {
    try await storage.transaction { tx in
        let kept: any Sendable = tx  // error: does not conform to the 'Sendable' protocol
        return kept
    }
}
