import StorageKit

@StorageEntity
struct User {
    var id: UUID
    var name: String
    var nick: String?
    var age: Int
}

func save(_ user: User, in storage: Storage) async throws {
    try await storage.save(user, onConflict: .update(\.nmae))  // error: type 'NoColumnOfThisNameAndType'
}
