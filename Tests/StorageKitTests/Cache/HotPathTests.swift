import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// What a read from memory costs.
@Suite struct HotPathTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
    }

    @MainActor @Test func aReadFromMemoryDoesNotLeaveTheCallersActor() async throws {
        try await store.storage.save(TestUser("1", age: 7))
        // Nothing else can run on the main actor unless the read leaves it.
        var hasLeft = false
        Task { @MainActor in hasLeft = true }
        let user = try await store.storage.get(TestUser.self, id: "1")
        #expect(user?.age == 7)
        #expect(!hasLeft)
    }

    @Test func aReadFromMemoryRunsNoSQL() async throws {
        let statements = Mutex(0)
        let traced = PoolOptions(configure: { configuration in
            configuration.prepareDatabase { db in db.trace { _ in statements.withLock { $0 += 1 } } }
        })
        let context = try StorageKit.start(
            at: store.folder.file("traced.sqlite"), options: .init(pool: traced)
        ) { $0.autoSchema(TestUserRecord.self) }
        try await context.facade.save(TestUser("1", age: 7))
        let before = statements.withLock { $0 }
        #expect(before > 0)
        #expect(try await context.facade.get(TestUser.self, id: "1")?.age == 7)
        #expect(statements.withLock { $0 } == before)
        _ = try await context.facade.get(TestUser.self, id: "2")
        #expect(statements.withLock { $0 } > before)
    }
}
