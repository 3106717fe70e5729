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
        var displaced: [any Sendable] = []
        cache.forget(change, &displaced)
        cache.fill(.text("1"), with: 7, ttl: 60, now: clock.now, ticket)
        #expect(cache.get(.text("1"), clock: clock) == nil)
        cache.fill(.text("1"), with: 8, ttl: 60, now: clock.now, cache.ticket(for: .text("1")))
        #expect(cache.get(.text("1"), clock: clock) == 8)
    }

    @Test(arguments: [TableChange.rows([.text("1")]), .allRows])
    func anEntityMayCallTheHubWhenACommitEndsIt(_ change: TableChange) {
        let (hub, now) = (ChangeHub(isPrivate: true), ManualClock().now)
        let cache = EntityCache<Ending>(hub: hub, capacity: 4) { _ in 0 }
        hub.tell(cache, of: "t", idColumn: "id")
        cache.fill(.text("1"), with: listening(to: hub), ttl: 60, now: now, cache.ticket(for: .text("1")))
        #expect(hub.listenerCount == 1)
        hub.willCommit()
        hub.didCommit(.tables(["t": change]), advancing: true, fills: [])
        #expect(hub.listenerCount == 0)
    }

    @Test func anEntityMayCallTheHubWhenWhatWasSavedTakesItsPlace() {
        let (hub, now) = (ChangeHub(isPrivate: true), ManualClock().now)
        let cache = EntityCache<Ending>(hub: hub, capacity: 4) { _ in 0 }
        cache.fill(.text("1"), with: listening(to: hub), ttl: 60, now: now, cache.ticket(for: .text("1")))
        let saved = Ending {}
        hub.willCommit()
        hub.didCommit(
            .tables([:]), advancing: true,
            fills: [{ cache.replace(.text("1"), with: saved, ttl: 60, now: now, &$0) }])
        #expect(hub.listenerCount == 0)
    }

    private func listening(to hub: ChangeHub) -> Ending {
        let listener = Listener()
        hub.listen(listener, watching: false)
        return Ending { hub.stop(listener, watching: false) }
    }

    @Test func anEntityMayAskMemoryWhenItEnds() {
        let clock = ManualClock()
        let cache = EntityCache<Ending>(hub: ChangeHub(isPrivate: true), capacity: 1) { _ in 0 }
        // The second takes the place of the first, the third the room.
        for id in ["1", "1", "2"] {
            let entity = Ending { _ = cache.get(.text("3"), clock: clock) }
            cache.fill(.text(id), with: entity, ttl: 60, now: clock.now, cache.ticket(for: .text(id)))
        }
        #expect(cache.statistics.misses == 2)
        clock.advance(by: 60)
        let isGone = cache.get(.text("2"), clock: clock) == nil
        #expect(isGone)
        #expect(cache.statistics.count == 0 && cache.statistics.hits == 0 && cache.statistics.misses == 4)
    }

    @Test func theClockMayAskMemory() {
        let cache = EntityCache<Int>(hub: ChangeHub(isPrivate: true), capacity: 4) { _ in 0 }
        let clock = AskedClock { _ = cache.statistics }
        cache.fill(.text("1"), with: 7, ttl: 60, now: clock.now, cache.ticket(for: .text("1")))
        #expect(cache.get(.text("1"), clock: clock) == 7)
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

/// Does something when it ends.
private final class Ending: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}

private final class Listener: ChangeListener {
    func note(_ changes: ChangeSet) {}
}

/// A clock that stands still, and does something whenever it is asked.
private struct AskedClock: StorageCore.Clock {
    private let ask: @Sendable () -> Void

    init(_ ask: @escaping @Sendable () -> Void) {
        self.ask = ask
    }

    var now: Date {
        ask()
        return Date(timeIntervalSinceReferenceDate: 0)
    }
}
