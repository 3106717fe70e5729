import StorageKit
import Testing

@StorageEntity
struct Task {
    var id: String
    var title: String
    var isCompleted: Bool
}

@Test func aTaskIsCreatedReadUpdatedAndDeleted() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let context = try StorageKit.start(at: folder.appendingPathComponent("a.sqlite")) { schema in
        schema.addKVCache()
        schema.autoSchema(TaskRecord.self)
    }
    let storage = context.facade
    let task = Task(id: UUID().uuidString, title: "Buy milk", isCompleted: false)
    try await storage.save(task)
    #expect(try await storage.get(Task.self, id: task.id) == task)
    var updated = task
    updated.isCompleted = true
    try await storage.save(updated)
    #expect(try await storage.all(Task.self) == [updated])
    #expect(try await storage.query(Task.self).where { $0.isCompleted && $0.title.hasPrefix("Buy") }.fetch() == [updated])
    try await storage.delete(Task.self, id: task.id)
    #expect(try await storage.get(Task.self, id: task.id) == nil)
}
