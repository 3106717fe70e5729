import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// What the caches of an entity keep of what was read, and what they leave out.
@Suite(.timeLimit(.minutes(20))) struct EntityStoreTests {
    private let store: TemporaryStore
    private let errors = ErrorLog()

    init() throws {
        let handler = errors.handler
        store = try TemporaryStore(
            options: {
                $0.memoryCapacity = 0
                $0.onCacheError = handler
            },
            schema: { schema in
                schema.addKVCache()
                schema.autoSchema(TestUserRecord.self)
            })
    }

    @Test(arguments: [TableChange.rows([.text("1")]), .allRows])
    func whatWasReadBeforeItChangedIsNotKeptInMemory(_ change: TableChange) {
        let clock = ManualClock()
        let cache = EntityCache<Int>(hub: ChangeHub(isPrivate: true), capacity: 4) { _ in 0 }
        let ticket = cache.ticket(for: .text("1"))
        cache.forget(change)
        cache.fill(.text("1"), with: 7, ttl: 60, now: clock.now, ticket)
        #expect(cache.get(.text("1"), clock: clock) == nil)
        cache.fill(.text("1"), with: 8, ttl: 60, now: clock.now, cache.ticket(for: .text("1")))
        #expect(cache.get(.text("1"), clock: clock) == 8)
    }

    @Test func whatIsDeletedWhileItsEntryWaitsToBeWrittenHasNone() async throws {
        try await store.storage.save([TestUser("1")])
        let (storage, writer, rest) = (store.storage, store.db.writer, Rest())
        async let held: Void = store.db.withWriter { _ in rest.enter() }
        await rest.begun()
        async let deleted: Void = storage.delete(TestUser.self, id: "1")
        try await untilTrue { writer.waitingCount == 1 }
        _ = try await storage.get(TestUser.self, id: "1")
        try await untilTrue { writer.waitingCount == 2 }
        rest.leave()
        _ = try await (held, deleted)
        await store.context.stores.settle()
        #expect(await store.context.cacheStatistics().disk.count == 0)
    }

    @Test func whatWasReadIsThereForCacheOnlyWhileItsEntryWaitsForTheWriter() async throws {
        try await store.storage.save([TestUser("1")])
        let (users, writer, rest) = (store.storage.repository(TestUser.self), store.db.writer, Rest())
        async let held: Void = store.db.withWriter { _ in rest.enter() }
        defer { rest.leave() }
        await rest.begun()
        _ = try await store.storage.get(TestUser.self, id: "1")
        try await untilTrue { writer.waitingCount > 0 }
        let found = try await users.get(id: "1", policy: .cacheOnly)
        rest.leave()
        try await held
        #expect(found?.id == "1")
    }

    /// An interruption is an error of the call, and says nothing of the disk cache.
    @Test func aSaveThatIsInterruptedLeavesTheDiskCacheOn() async throws {
        try await store.db.write { [pool = store.db.pool] db in
            db.add(
                function: DatabaseFunction("stop", argumentCount: 0) { _ in
                    pool.interrupt()
                    return nil
                })
            // The loop is where SQLite notices that it is to stop.
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER stopping AFTER INSERT ON main.kv_cache
                    BEGIN UPDATE kv_cache SET size = size WHERE stop() IS NULL; END
                    """)
        }
        await #expect(throws: (any Error).self) { try await store.storage.save(TestUser("1")) }
        #expect(errors.cases.isEmpty)
        try await store.db.write { try $0.execute(sql: "DROP TRIGGER stopping") }
        try await store.storage.save(TestUser("1"))
        #expect(await store.context.cacheStatistics().disk.count == 1)
    }

    @Test func whatIsReadAfterTheTiersWereClosedIsNotWrittenToTheDiskCache() async throws {
        try await store.storage.save([TestUser("1")])
        await store.context.stores.close()
        _ = try await store.storage.get(TestUser.self, id: "1")
        #expect(await store.context.cacheStatistics().disk.count == 0)
    }
}
