import StorageKit

func save(_ user: User, in storage: Storage) async throws {
    try await storage.save(user, onConflict: .update(\.nmae))  // error: type 'NoColumnOfThisNameAndType'
}
