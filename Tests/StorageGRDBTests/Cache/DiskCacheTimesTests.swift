import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Entries that are set again, whose rows learn their new times a moment later.
@Suite struct DiskCacheTimesTests {
    private let store: TemporaryStore
    private let errors = ErrorLog()
    private var clock: ManualClock { store.clock }

    init() throws {
        store = try TemporaryStore { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
    }

    private func cache(on db: DatabaseActor? = nil, quota: Int = 1_000_000) -> DiskCache<String> {
        let config = StorageConfig(defaultTTL: 60, diskQuotaBytes: quota, clock: clock)
        return DiskCache(db: db ?? store.db, config: config, onError: errors.handler)
    }

    /// The store as another process sees it.
    private func other() throws -> (cache: DiskCache<String>, pool: GRDB.DatabasePool) {
        let pool = try GRDB.DatabasePool(path: store.url.path)
        return (cache(on: DatabaseActor(pool: pool)), pool)
    }

    /// Sets an entry of ten seconds, and again after so many.
    private func setAgain(after seconds: TimeInterval, _ cache: DiskCache<String>) async {
        await cache.set("old", for: "k", ttl: 10)
        clock.advance(by: seconds)
        await cache.set("new", for: "k", ttl: 10)
    }

    private func expiries() async throws -> [Date] {
        try await store.db.read { try Date.fetchAll($0, sql: "SELECT expiresAt FROM kv_cache") }
    }

    @Test(arguments: [0, 1, 4.9, 5, 5.1, 9, 10, 11])
    func anEntrySetAgainLivesAsLongAsItsNewLifetime(after seconds: TimeInterval) async {
        let cache = cache()
        await setAgain(after: seconds, cache)
        clock.advance(by: 9.999)
        #expect(await cache.get("k") == "new")
        clock.advance(by: 0.001)
        #expect(await cache.get("k") == nil)
    }

    @Test func aShorterLifetimeEndsAnEntrySooner() async {
        let cache = cache()
        for (index, ttl) in [100, 0, 10.0].enumerated() { await cache.set("\(index)", for: "k", ttl: ttl) }
        clock.advance(by: 9.999)
        #expect(await cache.get("k") == "2")
        clock.advance(by: 0.001)
        #expect(await cache.get("k") == nil)
    }

    @Test func anEntryThatIsSetForEverOutlivesWhatItWas() async {
        let cache = cache()
        for ttl in [10, 0.0] { await cache.set("v", for: "k", ttl: ttl) }
        clock.advance(by: 1e6)
        #expect(await cache.get("k") == "v")
    }

    @Test func othersSeeTheNewValueAtOnce() async throws {
        let (another, _) = try other()
        await setAgain(after: 4, cache())
        #expect(await another.get("k") == "new")
    }

    @Test func settingAgainWritesNoTimes() async throws {
        let changed = Mutex<[String]>([])
        try await store.db.writer.writeWithoutTransaction { db in
            db.trace { event in
                let sql = "\(event)"
                if sql.contains("kv_cache"), !sql.hasPrefix("SELECT") { changed.withLock { $0.append(sql) } }
            }
        }
        let cache = cache()
        for value in ["a", "b"] { await cache.set(value, for: "k", ttl: 10) }
        let second = try #require(changed.withLock { $0.dropFirst().first })
        #expect(!second.contains("updatedAt") && !second.contains("expiresAt"), "\(second)")
    }

    @Test(.timeLimit(.minutes(1))) func theTimesAreWrittenWithoutBeingAskedFor() async throws {
        let end = clock.now + 14
        let expiry = GRDB.ValueObservation.tracking { try Date.fetchOne($0, sql: "SELECT expiresAt FROM kv_cache") }
        await setAgain(after: 4, cache())
        for try await value in expiry.values(in: store.db.writer) where value == end { break }
    }

    @Test func toOthersAnEntryEndsAtMostHalfOfItsLifetimeTooSoon() async throws {
        let (another, _) = try other()
        let cache = cache()
        await cache.set("v", for: "k", ttl: 10)
        for _ in 0..<10 {
            clock.advance(by: 3)
            await cache.set("v", for: "k", ttl: 10)
            let end = try #require(try await expiries().first)
            #expect((5...10).contains(end.timeIntervalSince(clock.now)))
        }
        #expect(await another.get("k") == "v")
    }

    @Test func pruningLeavesWhatWasSetAgain() async throws {
        let cache = cache()
        await setAgain(after: 4, cache)
        clock.advance(by: 8)
        await cache.pruneExpired()
        #expect(await cache.get("k") == "new")
        clock.advance(by: 2)
        await cache.pruneExpired()
        #expect(try await expiries().isEmpty)
    }

    @Test func whatWasSetAgainIsNotTheFirstToBeEvicted() async {
        let cache = cache(quota: 14)
        for key in ["a", "b", "a", "c"] { await cache.set("text", for: key, ttl: nil) }
        #expect(await cache.get("a") == "text")
        #expect(await cache.get("b") == nil)
    }

    @Test func whatAnotherSetMeanwhileKeepsItsOwnEnd() async throws {
        let (_, pool) = try other()
        await setAgain(after: 4, cache())
        let end = clock.now + 2
        // Its row says of the time it was set what ours does.
        try await pool.write { db in
            try db.execute(sql: "UPDATE kv_cache SET blob = '\"other\"', expiresAt = ?", arguments: [end])
        }
        await store.db.writeCacheTimes()
        #expect(try await expiries() == [end])
    }

    @Test func aTransactionThatFailsLeavesTheOldEntryItsOldEnd() async throws {
        let cache = cache()
        await cache.set("old", for: "k", ttl: 10)
        clock.advance(by: 4)
        try await store.db.write {
            try $0.execute(
                sql: "CREATE TRIGGER no BEFORE UPDATE OF blob ON kv_cache BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        await cache.set("new", for: "k", ttl: 10)
        #expect(errors.cases == ["cacheWriteFailed"])
        clock.advance(by: 6)
        #expect(await cache.get("k") == nil)
    }

    @Test func theEntryOfARowThatIsGoneStaysTheFirstToBeEvicted() async throws {
        let user = TestUser("1")
        try await store.storage.save(user)
        try await store.storage.save(user)
        try await store.storage.delete(TestUser.self, id: "1")
        await store.db.writeCacheTimes()
        #expect(try await expiries() == [Date(timeIntervalSince1970: 0)])
    }

    @Test func whereNothingWaitsTheFileIsNotLocked() async throws {
        let cache = cache()
        await cache.set("v", for: "k", ttl: 10)
        let begun = Mutex(0)
        try await store.db.writer.writeWithoutTransaction { db in
            db.trace { event in
                let isBegin = "\(event)".hasPrefix("BEGIN")
                if isBegin { begun.withLock { $0 += 1 } }
            }
        }
        await store.db.writeCacheTimes()
        #expect(begun.withLock { $0 } == 0)
        await cache.set("w", for: "k", ttl: 10)
        await store.db.writeCacheTimes()
        #expect(begun.withLock { $0 } >= 2)
    }

    @Test func closingWritesTheTimes() async throws {
        let (_, pool) = try other()
        let user = TestUser("1")
        try await store.storage.save(user)
        clock.advance(by: 1)
        try await store.storage.save(user)
        try await store.context.close()
        let end = try await pool.read { try Date.fetchOne($0, sql: "SELECT expiresAt FROM kv_cache") }
        #expect(end == clock.now + store.context.config.defaultTTL)
    }
}
