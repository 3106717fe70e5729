import StorageKit

@StorageEntity
struct Node {
    var id: String
    var parentId: String?
    @StorageBelongsTo var parent: Self?  // error: recursively contains it
}

// What follows from it draws no error of its own.
func roots(_ storage: Storage) async throws -> [Node] {
    let context = try StorageKit.start { $0.autoSchema(NodeRecord.self) }
    try await context.facade.save(Node(id: "1", parentId: nil))
    return try await storage.query(Node.self).where { $0.parentId == nil }.fetch()
}
