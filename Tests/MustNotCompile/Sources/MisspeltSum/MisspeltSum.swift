import StorageKit

func find(_ storage: Storage) async throws {
    _ = try await storage.query(User.self)
        .where { $0.age > 3 && $0.name == "x" && $0.nick == "y" && $0.age < 60 }
        .sum(\.agee)  // error: subscript index of type 'NoColumnOfThisNameAndType'
}
