import StorageKit

func find(_ storage: Storage) async throws {
    _ = try await storage.query(User.self).updateAll { [$0.age.set(to: "3")] }  // error: of another type than the value
}
