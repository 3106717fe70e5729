import StorageKit

struct User: Codable, Sendable, Equatable {
    var id: String
}

func save(_ user: User, in storage: Storage) async throws {
    try await storage.save(user)  // error: requires that 'User' conform to 'RegisteredEntity'
}
