import StorageKit
import StorageTestSupport
import Testing

@Suite struct CachePolicyTests {
    private func saved(_ options: (inout StorageKit.StartOptions) -> Void = { _ in }) async throws -> CachedStore {
        let store = try CachedStore(options: options)
        try await store.storage.save(TestUser("1"))
        return store
    }

    private func place(_ store: CachedStore, _ policy: CachePolicy) async throws -> [Int] {
        try await store.hits { _ = try await store.users.get(id: "1", policy: policy) }
    }

    @Test func databaseOnlyAsksTheTableAndKeepsNothing() async throws {
        let store = try CachedStore()
        try await store.storage.save([TestUser("1")])
        for _ in 0..<2 { #expect(try await place(store, .databaseOnly) == CachedStore.table) }
        await store.settle()
        #expect(try await store.users.get(id: "1", policy: .cacheOnly) == nil)
        try await store.storage.save(TestUser("1"))
        #expect(try await place(store, .databaseOnly) == CachedStore.table)
    }

    @Test func cacheOnlyDoesNotAskTheTable() async throws {
        let store = try CachedStore()
        try await store.storage.save([TestUser("1")])
        #expect(try await store.users.get(id: "1", policy: .cacheOnly) == nil)
        try await store.storage.save(TestUser("1", name: "Ada"))
        #expect(try await store.users.get(id: "1", policy: .cacheOnly)?.name == "Ada")
        #expect(try await store.reopened().users.get(id: "1", policy: .cacheOnly)?.name == "Ada")
    }

    @Test func cacheOnlyOfWhatIsOnDiskPutsItIntoMemory() async throws {
        let store = try await saved().reopened()
        #expect(try await place(store, .cacheOnly) == CachedStore.disk)
        #expect(try await place(store, .cacheOnly) == CachedStore.memory)
    }

    @Test func whatIsReadIsKeptOnDiskThoughAnotherKeyIsRemoved() async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        let ids = (0..<100).map { "\($0)" }
        try await store.users.putAll(ids.map { TestUser($0) })
        for id in ids { _ = try await store.users.get(id: id, policy: .localFirst(ttl: 50)) }
        let context = store.store.context
        await DiskCache<String>(db: context.storage.dbActor, config: context.config).remove("another")
        await store.settle()
        var kept = 0
        for id in ids where try await store.users.get(id: id, policy: .cacheOnly) != nil { kept += 1 }
        // A few have the hash of the other key.
        #expect(kept > 80)
    }

    @Test func withoutAPolicyMemoryOrTheTableAnswers() async throws {
        let first = try await saved()
        #expect(try await first.hits { _ = try await first.users.get(id: "1") } == CachedStore.memory)
        let store = try await first.reopened()
        #expect(try await store.hits { _ = try await store.users.get(id: "1") } == CachedStore.table)
        #expect(try await store.hits { _ = try await store.users.get(id: "1") } == CachedStore.memory)
    }

    @Test func aSavedEntityExpiresAfterTheDefaultLifetime() async throws {
        let store = try await saved { $0.defaultTTL = 10 }
        store.clock.advance(by: 9.999)
        #expect(try await place(store, .cacheOnly) == CachedStore.memory)
        store.clock.advance(by: 0.001)
        #expect(try await store.users.get(id: "1", policy: .cacheOnly) == nil)
    }

    @Test func whatTheStorageReadsAnewIsKeptForTheDefaultLifetime() async throws {
        let store = try await saved { $0.defaultTTL = 10 }
        store.clock.advance(by: 10)
        #expect(try await store.place() == CachedStore.table)
        store.clock.advance(by: 10)
        #expect(try await store.users.get(id: "1", policy: .cacheOnly) == nil)
    }

    @Test func theLifetimeOfAPolicyIsThatOfWhatItKeeps() async throws {
        let first = try CachedStore(options: { $0.defaultTTL = 1000 })
        try await first.storage.save([TestUser("1")])
        _ = try await first.users.get(id: "1", policy: .localFirst(ttl: 10))
        let store = try await first.reopened()
        store.clock.advance(by: 9.999)
        #expect(try await place(store, .cacheOnly) == CachedStore.disk)
        #expect(try await place(first, .cacheOnly) == CachedStore.memory)
        store.clock.advance(by: 0.001)
        #expect(try await first.users.get(id: "1", policy: .cacheOnly) == nil)
    }

    @Test(arguments: [0, -1, .infinity, .nan, 1e12, .greatestFiniteMagnitude])
    func aLifetimeThatIsNoneIsForEver(ttl: TimeInterval) async throws {
        let first = try CachedStore(options: { $0.defaultTTL = ttl })
        try await first.storage.save(TestUser("1"))
        first.clock.advance(by: 1e9)
        #expect(try await place(first, .localFirst(ttl: ttl)) == CachedStore.memory)
        let store = try await first.reopened()
        #expect(try await place(store, .localFirst(ttl: ttl)) == CachedStore.disk)
        #expect(first.errors.cases.isEmpty && store.errors.cases.isEmpty)
    }

    @Test func anExpiredEntryIsReadAgainFromTheTable() async throws {
        let store = try await saved { $0.defaultTTL = 10 }
        store.clock.advance(by: 10)
        #expect(try await place(store, .localFirst(ttl: 10)) == CachedStore.table)
        #expect(try await place(store, .localFirst(ttl: 10)) == CachedStore.memory)
    }
}
