import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Where reads look, and what writes leave there.
@Suite struct CacheTierTests {
    private func cached(_ id: String, _ store: CachedStore) async throws -> String? {
        try await store.users.get(id: id, policy: .cacheOnly)?.id
    }

    @Test func whatWasSavedIsInMemory() async throws {
        let store = try CachedStore()
        try await store.storage.save(TestUser("1", name: "Ada"))
        let hits = try await store.hits { () async throws in
            #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "Ada")
        }
        #expect(hits == CachedStore.memory)
    }

    @Test func whatWasSavedRightAfterACommitOfAnotherIsInMemory() async throws {
        let store = try CachedStore()
        try await store.storage.save(TestUser("1", name: "a"))
        try await store.runOutside("UPDATE testusers SET name = 'b'")
        try await store.storage.save(TestUser("1", name: "c"))
        #expect(try await store.place() == CachedStore.memory)
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "c")
    }

    @Test func whatAnotherContextSavedIsOnDiskThenInMemory() async throws {
        let first = try CachedStore()
        try await first.storage.save(TestUser("1"))
        let store = try await first.reopened()
        #expect(try await store.place() == CachedStore.disk)
        #expect(try await store.place() == CachedStore.memory)
    }

    @Test func whatIsInTheTableAloneIsThenInBothCaches() async throws {
        let first = try CachedStore()
        try await first.storage.save([TestUser("1")])
        #expect(try await first.place() == CachedStore.table)
        #expect(try await first.place() == CachedStore.memory)
        let store = try await first.reopened()
        #expect(try await store.place() == CachedStore.disk)
        #expect(store.errors.cases.isEmpty && first.errors.cases.isEmpty)
    }

    @Test(arguments: [true, false]) func whatIsDeletedHasNoEntryOnDisk(isByEntity: Bool) async throws {
        let store = try CachedStore()
        let (one, two) = (TestUser("1"), TestUser("2"))
        for user in [one, two] { try await store.storage.save(user) }
        if isByEntity {
            try await store.storage.delete(one)
        } else {
            try await store.storage.delete(TestUser.self, id: "1")
        }
        let key = store.store.context.keys.entityKey(TestUser.self, id: "2")
        #expect(try await store.fetch(String.self, "SELECT key FROM kv_cache") == [key])
        #expect(await store.store.context.cacheStatistics().disk.count == 1)
    }

    @Test func whatIsDeletedRightAfterAReadHasNoEntryOnDisk() async throws {
        let store = try CachedStore()
        try await store.storage.save([TestUser("1")])
        #expect(try await store.place() == CachedStore.table)
        try await store.storage.delete(TestUser.self, id: "1")
        await store.settle()
        #expect(try await store.fetch(Int.self, "SELECT COUNT(*) FROM kv_cache") == [0])
    }

    @Test func whatIsNowhereIsNilAndMissed() async throws {
        let store = try CachedStore()
        for _ in 0..<2 { #expect(try await store.storage.get(TestUser.self, id: "1") == nil) }
        await store.settle()
        let disk = await store.store.context.cacheStatistics().disk
        #expect(disk.count == 0)
        #expect(disk.misses == 2)
    }

    @Test func aDiskCacheGetsUnderTheKeyOfAnEntityWhatItsRowHolds() async throws {
        let store = try CachedStore()
        let context = store.store.context
        let cache = DiskCache<TestUser>(
            db: context.storage.dbActor, config: context.config, onError: store.errors.handler)
        let key = context.keys.entityKey(TestUser.self, id: "1")
        #expect(await cache.get(key) == nil)
        try await store.storage.save(TestUser("1", name: "Ada"))
        #expect(await cache.get(key)?.name == "Ada")
        try await store.run("UPDATE testusers SET name = 'Eve'")
        #expect(await cache.get(key)?.name == "Eve")
        let others = DiskCache<String>(
            db: context.storage.dbActor, config: context.config, onError: store.errors.handler)
        #expect(await others.get(key) == nil)
        try await store.storage.delete(TestUser.self, id: "1")
        #expect(await cache.get(key) == nil)
        #expect(store.errors.cases.isEmpty)
    }

    @Test(arguments: [true, false]) func whatWasReadIsNowhereAfterItsEntryIsRemoved(all: Bool) async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await store.storage.save([TestUser("1")])
        _ = try await store.storage.get(TestUser.self, id: "1")
        let context = store.store.context
        let cache = DiskCache<TestUser>(db: context.storage.dbActor, config: context.config)
        if all {
            await cache.removeAll()
        } else {
            await cache.remove(context.keys.entityKey(TestUser.self, id: "1"))
        }
        #expect(try await cached("1", store) == nil)
        await store.settle()
        #expect(try await cached("1", store) == nil)
        #expect(await context.cacheStatistics().disk.count == 0)
    }

    @Test func anEntryIsNowhereAfterAnotherContextRemovedItWhileItWasToBeWritten() async throws {
        let first = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await first.storage.save([TestUser("1")])
        let second = try await first.reopened()
        let context = second.store.context
        let cache = DiskCache<TestUser>(db: context.storage.dbActor, config: context.config)
        await cache.remove("none yet")
        _ = try await first.storage.get(TestUser.self, id: "1")
        await cache.remove(context.keys.entityKey(TestUser.self, id: "1"))
        await first.settle()
        #expect(await context.cacheStatistics().disk.count == 0)
    }

    @Test func whatWasReadIsThereForCacheOnlyBeforeItsEntryIsWritten() async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await store.storage.save([TestUser("1"), TestUser("2")])
        #expect(try await cached("1", store) == nil)
        _ = try await store.storage.get(TestUser.self, id: "1")
        #expect(try await cached("1", store) == "1")
        #expect(try await cached("2", store) == nil)
    }

    @Test func whatWasReadEndsWithItsLifetimeBeforeItsEntryIsWrittenToo() async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await store.storage.save([TestUser("1")])
        let users = store.storage.repository(TestUser.self)
        // While the writer is taken no entry is written.
        let rest = Rest()
        let held = Task { [pool = store.store.context.storage.pool] in
            try await pool.writeWithoutTransaction { _ in rest.enter() }
        }
        await rest.begun()
        _ = try await users.get(id: "1", policy: .localFirst(ttl: 10))
        store.clock.advance(by: 9)
        #expect(try await cached("1", store) == "1")
        store.clock.advance(by: 1)
        #expect(try await cached("1", store) == nil)
        rest.leave()
        try await held.value
        await store.settle()
        #expect(try await cached("1", store) == nil)
        #expect(try await store.fetch(Int.self, "SELECT COUNT(*) FROM kv_cache") == [0])
    }

    @Test func aBrokenEntryThatIsYetToBeRemovedIsNoEntry() async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await store.storage.save(TestUser("1"))
        try await store.run("UPDATE kv_cache SET blob = 'x'")
        for _ in 0..<2 { #expect(try await cached("1", store) == nil) }
    }

    @Test func readingWhatHasEntriesTakesNoWriteLock() async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await store.storage.save(TestUser("1"))
        await store.settle()
        let place = try await withWriteLock(on: store.store.url) { try await store.place() }
        #expect(place == CachedStore.disk)
        #expect(store.errors.cases.isEmpty)
    }

    @Test func manyReadsBeyondWhatIsWrittenTogetherAllLeaveEntries() async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 10 })
        let users = (0..<2000).map { TestUser("\($0)") }
        try await store.storage.save(users)
        for user in users { _ = try await store.storage.get(TestUser.self, id: user.id) }
        let disk = await store.store.context.cacheStatistics().disk
        #expect(disk.count == 2000)
        #expect(disk.misses == 2000)
    }

    @Test func withoutTheTierInMemoryTheDiskAnswers() async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await store.storage.save(TestUser("1"))
        #expect(try await store.place() == CachedStore.disk)
        #expect(try await store.place() == CachedStore.disk)
    }

    @Test func withoutTheTierOnDiskNothingIsWrittenThere() async throws {
        let store = try CachedStore(options: { $0.usesDiskCache = false })
        try await store.storage.save(TestUser("1"))
        try await store.storage.save([TestUser("2")])
        _ = try await store.storage.get(TestUser.self, id: "2")
        await store.settle()
        #expect(try await store.fetch(Int.self, "SELECT COUNT(*) FROM kv_cache") == [0])
        #expect(try await store.place() == CachedStore.memory)
    }

    @Test func withoutBothTiersTheTableAnswers() async throws {
        let store = try CachedStore(options: {
            $0.memoryCapacity = -1
            $0.usesDiskCache = false
        })
        try await store.storage.save(TestUser("1", name: "Ada"))
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "Ada")
        #expect(await store.store.context.cacheStatistics() == CacheStatistics())
    }

    @Test func withoutACacheTableThereIsNoTierOnDisk() async throws {
        let store = try CachedStore(schema: { $0.autoSchema(TestUserRecord.self) })
        try await store.storage.save(TestUser("1"))
        #expect(try await store.place() == CachedStore.memory)
        #expect(await store.store.context.cacheStatistics().disk == CacheStatistics.Tier())
        #expect(store.errors.cases.isEmpty)
    }

    @Test func aStartWithoutACacheTableLeavesTheOneOfAnEarlierStartAlone() async throws {
        let first = try CachedStore()
        try await first.storage.save(TestUser("1"))
        let store = try CachedStore(first.store.folder, schema: { $0.autoSchema(TestUserRecord.self) })
        #expect(try await store.place() == CachedStore.table)
        try await store.storage.save(TestUser("1", name: "new"))
        #expect(try await first.storage.get(TestUser.self, id: "1")?.name == "new")
    }

    @Test func overCapacityTheOneNotReadForLongestLeavesTheMemory() async throws {
        let store = try CachedStore(options: {
            $0.memoryCapacity = 2
            $0.usesDiskCache = false
        })
        for id in ["1", "2"] { try await store.storage.save(TestUser(id)) }
        #expect(try await store.place() == CachedStore.memory)
        try await store.storage.save(TestUser("3"))
        let statistics = await store.store.context.cacheStatistics().memory
        #expect(statistics.count == 2 && statistics.evictions == 1)
        #expect(try await store.place() == CachedStore.memory)
        #expect(try await store.hits { _ = try await store.users.get(id: "2") } == CachedStore.table)
    }

    @Test func aBatchKeepsNothingInMemoryAndMakesNoEntryOnDisk() async throws {
        let store = try CachedStore()
        try await store.storage.save(TestUser("1", name: "old"))
        try await store.storage.save([TestUser("1", name: "new"), TestUser("2")])
        let statistics = await store.store.context.cacheStatistics()
        #expect(statistics.memory.count == 0 && statistics.disk.count == 1)
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "new")
    }

    @Test func anEntryOnDiskGivesWhatItsRowHolds() async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await store.storage.save(TestUser("1", name: "old"))
        try await store.runOutside("UPDATE testusers SET name = 'new'")
        let hits = try await store.hits { () async throws in
            #expect(try await store.users.get(id: "1", policy: .cacheOnly)?.name == "new")
        }
        #expect(hits == CachedStore.disk)
    }

    @Test func theTierOnDiskAddsNothingToTheTable() async throws {
        let store = try CachedStore()
        try await store.storage.save(TestUser("1"))
        #expect(try await store.place() == CachedStore.memory)
        #expect(try await store.fetch(Int.self, "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'") == [0])
    }

    @Test func aDeletedEntityIsInNoTier() async throws {
        let store = try CachedStore()
        try await store.storage.save(TestUser("1"))
        try await store.storage.delete(TestUser.self, id: "1")
        #expect(try await store.storage.get(TestUser.self, id: "1") == nil)
        #expect(try await store.users.get(id: "1", policy: .cacheOnly) == nil)
        #expect(try await store.reopened().users.get(id: "1", policy: .cacheOnly) == nil)
    }

    @Test func entriesOnDiskHaveTheKeysOfTheKeyBuilder() async throws {
        let store = try CachedStore(options: { $0.namespace = "myapp" })
        try await store.storage.save(TestUser("1"))
        let keys = store.store.context.keys
        #expect(
            try await store.fetch(String.self, "SELECT key FROM kv_cache") == [keys.entityKey(TestUser.self, id: "1")])
        #expect(keys.entityKey(TestUser.self, id: "1") == "myapp.TestUser:1")
    }

    @Test func aCustomTableIsTheOneThatIsUsed() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache(tableName: "my cache")
            schema.autoSchema(TestUserRecord.self)
        })
        try await store.storage.save(TestUser("1"))
        #expect(try await store.fetch(Int.self, #"SELECT COUNT(*) FROM "my cache""#) == [1])
        #expect(await store.store.context.cacheStatistics().disk.count == 1)
    }

    @Test func theStatisticsCountBytes() async throws {
        let store = try CachedStore()
        try await store.storage.save(TestUser("1", name: "x"))
        let small = await store.store.context.cacheStatistics()
        try await store.storage.save(TestUser("1", name: String(repeating: "x", count: 1001)))
        let large = await store.store.context.cacheStatistics()
        #expect(large.memory.bytes - small.memory.bytes == 1000)
        #expect(large.disk.bytes - small.disk.bytes == 1000)
        #expect(large.memory.count == 1 && large.disk.count == 1)
    }

    @Test func theStatisticsCountTextsAndBlobsByTheirBytes() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.autoSchema(PictureRecord.self)
        })
        let bytes = { (name: String, data: Data) async throws -> [Int] in
            try await store.storage.save(Picture(id: 1, name: name, data: data))
            let statistics = await store.store.context.cacheStatistics()
            return [statistics.memory.bytes, statistics.disk.bytes]
        }
        let empty = try await bytes("", Data())
        #expect(try await bytes("é", Data()) == empty.map { $0 + 2 })
        #expect(try await bytes("", Data(count: 100)) == empty.map { $0 + 100 })
    }

    /// The first read asks the database what the tiers are, and the second one knows.
    @Test func aReadMeasuresItsRowAndEncodesNothing() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.autoSchema(LeafletRecord.self)
        })
        let leaflets = (1...3).map { Leaflet(id: $0, text: CountedText("five")) }
        try await store.storage.save(Array(leaflets[0...1]))
        let count = CountedText.encodings.withLock { $0 }
        for id in 1...2 { #expect(try await store.storage.get(Leaflet.self, id: id)?.text.text == "five") }
        await store.settle()
        #expect(CountedText.encodings.withLock { $0 } == count)
        try await store.storage.save(leaflets[2])
        let sizes = try await store.fetch(Int.self, "SELECT size FROM kv_cache")
        #expect(sizes.count == 3 && Set(sizes).count == 1)
    }

    @Test func theStatisticsOfATierOnDiskThatIsOffAreZeroes() async throws {
        let first = try CachedStore()
        try await first.storage.save(TestUser("1"))
        let store = try await first.reopened { $0.usesDiskCache = false }
        #expect(await store.store.context.cacheStatistics().disk == CacheStatistics.Tier())
    }

    @Test func theStatisticsCountTheHitsOfAllTypes() async throws {
        let store = try CachedStore(schema: { $0.autoSchema(TestUserRecord.self, TestMadeRecord.self) })
        try await store.storage.save(TestUser("1"))
        try await store.storage.save(TestMade(5))
        let hits = try await store.hits {
            _ = try await store.storage.get(TestUser.self, id: "1")
            _ = try await store.storage.get(TestMade.self, id: "made")
        }
        #expect(hits == [2, 0])
    }

    @Test func theQuotaHoldsForEntities() async throws {
        let store = try CachedStore(options: { $0.diskQuotaBytes = 1000 })
        for id in 0..<50 { try await store.storage.save(TestUser("\(id)", name: "somebody")) }
        let disk = await store.store.context.cacheStatistics().disk
        #expect(disk.bytes <= 1000 && disk.bytes > 500)
        #expect(disk.evictions == 50 - disk.count)
    }
}

@StorageEntity
private struct Picture {
    var id: Int
    var name: String
    var data: Data
}

@StorageEntity
private struct Leaflet {
    var id: Int
    @StorageJSON var text: CountedText
}

/// A text that counts how often it is encoded.
private struct CountedText: Codable, Sendable {
    static let encodings = Mutex(0)
    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        CountedText.encodings.withLock { $0 += 1 }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
