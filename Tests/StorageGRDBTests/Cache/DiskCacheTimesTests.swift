import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

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
        // The first one may be writing the times that wait.
        let pool = try GRDB.DatabasePool(path: store.url.path, configuration: .waitingForLocks)
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

    @Test func aLifetimeThatIsALittleShorterEndsAnEntrySooner() async {
        let cache = cache()
        for ttl in [15, 10.0] { await cache.set("v", for: "k", ttl: ttl) }
        clock.advance(by: 10)
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
        try await store.db.pool.writeWithoutTransaction { db in
            db.trace { event in
                let sql = "\(event)"
                if sql.contains("kv_cache"), !sql.hasPrefix("SELECT") { changed.withLock { $0.append(sql) } }
            }
        }
        let cache = cache()
        for value in ["a", "b"] { await cache.set(value, for: "k", ttl: 10) }
        let second = try #require(changed.withLock { $0.dropFirst().first }?.split(separator: " WHERE ").first)
        #expect(!second.contains("updatedAt") && !second.contains("expiresAt"), "\(second)")
    }

    @Test(.timeLimit(.minutes(20))) func theTimesAreWrittenWithoutBeingAskedFor() async throws {
        let end = clock.now + 14
        let expiry = GRDB.ValueObservation.tracking { try Date.fetchOne($0, sql: "SELECT expiresAt FROM kv_cache") }
        await setAgain(after: 4, cache())
        for try await value in expiry.values(in: store.db.pool) where value == end { break }
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

    @Test func soItIsWhereAnotherCommitsMeanwhileAndTheClockGoesBack() async throws {
        let (_, pool) = try other()
        for id in ["1", "2"] { try await store.storage.save(TestUser(id)) }
        let bytes = await store.context.cacheStatistics().disk.bytes
        clock.advance(by: 10)
        try await store.storage.save(TestUser("1"))
        clock.advance(by: -10)
        try await pool.write { try $0.execute(sql: "CREATE TABLE notes (text)") }
        try await store.storage.save(TestUser("2"))
        // One of the two has to go.
        await cache(quota: bytes / 2 + 6).set("text", for: "k", ttl: nil)
        let keys = try await store.db.read { try String.fetchSet($0, sql: "SELECT key FROM kv_cache") }
        #expect(keys == ["k", store.context.keys.entityKey(TestUser.self, id: "2")])
    }

    @Test func whatAnotherSetMeanwhileKeepsItsOwnEnd() async throws {
        let (_, pool) = try other()
        await setAgain(after: 4, cache())
        let end = clock.now + 2
        // Its row says of the time it was set what ours does.
        try await pool.write { db in
            try db.execute(sql: "UPDATE kv_cache SET blob = '\"other\"', expiresAt = ?", arguments: [end])
        }
        await store.db.settleCache()
        #expect(try await expiries() == [end])
    }

    @Test func whatAnotherSetMeanwhileEndsWhenTheOtherSaid() async throws {
        let (another, _) = try other()
        let cache = cache()
        await setAgain(after: 4, cache)
        await another.set("other", for: "k", ttl: 2)
        clock.advance(by: 1.999)
        #expect(await cache.get("k") == "other")
        clock.advance(by: 0.001)
        #expect(await cache.get("k") == nil)
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

    @Test func savingAgainWritesTheTableAlone() async throws {
        try await store.storage.save(TestUser("1"))
        let run = Mutex<[String]>([])
        try await store.db.pool.writeWithoutTransaction { db in
            db.trace { event in
                let sql = "\(event)"
                if !sql.hasPrefix("SELECT"), !sql.hasPrefix("PRAGMA") { run.withLock { $0.append(sql) } }
            }
        }
        try await store.storage.save(TestUser("1", name: "new"))
        // The times may follow in a transaction of their own.
        let statements = run.withLock { $0.prefix { !$0.hasPrefix("BEGIN") } }
        #expect(statements.count == 1 && statements.first?.contains("testusers") == true, "\(statements)")
    }

    @Test func aSaveThatFailsLeavesTheEntryItsOldEnd() async throws {
        let end = clock.now + store.context.config.defaultTTL
        try await store.storage.save(TestUser("1"))
        clock.advance(by: 1)
        try await store.db.write {
            try $0.execute(
                sql: "CREATE TRIGGER no BEFORE UPDATE ON testusers BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        #expect(await thrownError { try await store.storage.save(TestUser("1")) } != nil)
        await store.db.settleCache()
        #expect(try await expiries() == [end])
    }

    @Test func moreThanMayWaitAreAllToldInTheEnd() async throws {
        let cache = cache()
        for ttl in [10, 20.0] {
            for key in 0..<8200 { await cache.set("v", for: "\(key)", ttl: ttl) }
        }
        await store.db.settleCache()
        #expect(try await Set(expiries()) == [clock.now + 20])
    }

    @Test func moreSavedEntitiesThanMayWaitAreAllToldInTheEnd() async throws {
        for _ in 0..<2 {
            clock.advance(by: 1)
            for id in 0..<8200 { try await store.storage.save(TestUser("\(id)")) }
        }
        // What could not be kept in mind was saved in another way, and is in memory all the same.
        let before = await store.context.cacheStatistics().memory.hits
        for id in 8190..<8200 { _ = try await store.storage.get(TestUser.self, id: "\(id)") }
        #expect(await store.context.cacheStatistics().memory.hits == before + 10)
        await store.db.settleCache()
        #expect(try await Set(expiries()) == [clock.now + store.context.config.defaultTTL])
    }

    @Test func thereIsAnEndToWhatIsKeptInMind() throws {
        var entries = KnownEntries()
        let row = try row()
        for number in 0..<KnownEntries.limit {
            let key = StoredValue.text("\(number)")
            #expect(entries.haveRoom(for: key))
            entries.wait(.init(key: key, row: row, size: 1, expiry: nil, now: clock.now), set: clock.now)
        }
        #expect(!entries.haveRoom(for: .text("one more")))
        #expect(entries.haveRoom(for: .text("0")))
        _ = entries.takeWaiting()
        #expect(!entries.haveRoom(for: .text("one more")))
    }

    private func row() throws -> CacheTable.Row {
        var reader = RowReader(
            values: [.integer(1), .integer(1), .null, .text("2026-01-01 00:00:00.000")],
            names: ["rowid", "size", "expiresAt", "updatedAt"])
        return try CacheTable.Row(&reader)
    }

    @Test(arguments: ["DELETE FROM kv_cache", "UPDATE kv_cache SET rowid = rowid + 1", "UPDATE kv_cache SET key = 'x'"])
    func anEntryThatSomebodyTookAwayIsSetAnew(sql: String) async throws {
        let cache = cache()
        for value in ["a", "b"] { await cache.set(value, for: "k", ttl: nil) }
        try await store.db.write { try $0.execute(sql: sql) }
        await cache.set("c", for: "k", ttl: nil)
        #expect(await cache.get("k") == "c")
        #expect(await cache.get("x") ?? "b" == "b")
        #expect(errors.cases.isEmpty)
    }

    @Test func theEntryOfASavedEntityThatSomebodyTookAwayIsThereAgainBeforeLong() async throws {
        for name in ["a", "b"] { try await store.storage.save(TestUser("1", name: name)) }
        try await store.db.write { try $0.execute(sql: "DELETE FROM kv_cache") }
        try await store.storage.save(TestUser("1", name: "c"))
        await store.db.settleCache()
        try await store.storage.save(TestUser("1", name: "d"))
        #expect(await store.context.cacheStatistics().disk.count == 1)
    }

    @Test func anEntryThatAnotherProcessTookAwayIsSetAnew() async throws {
        let (_, pool) = try other()
        let cache = cache()
        for value in ["a", "b"] { await cache.set(value, for: "k", ttl: nil) }
        try await pool.write {
            try $0.execute(sql: "DELETE FROM kv_cache; INSERT INTO kv_cache VALUES ('x', '\"x\"', 0, NULL, 1)")
        }
        await cache.set("c", for: "k", ttl: nil)
        #expect(await cache.get("k") == "c")
        #expect(await cache.get("x") == "x")
    }

    @Test func aValueThatGrewCountsOnce() async {
        let cache = cache()
        let bytes = { await store.context.cacheStatistics().disk.bytes }
        await cache.set("a", for: "k", ttl: nil)
        await cache.set(String(repeating: "a", count: 101), for: "k", ttl: nil)
        #expect(await bytes() == 103)
        await store.db.settleCache()
        #expect(await bytes() == 103)
    }

    @Test func anExpiredEntryOfWhichNothingElseCanBeReadIsAMiss() async throws {
        let cache = cache()
        await cache.set("v", for: "k", ttl: 10)
        try await store.db.write { try $0.execute(sql: "UPDATE kv_cache SET updatedAt = 'x'") }
        #expect(await cache.get("k") == "v")
        clock.advance(by: 10)
        #expect(await cache.get("k") == nil)
    }

    @Test func timesThatCouldNotBeCommittedAreNotTakenForTold() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE teams (id TEXT PRIMARY KEY);
                    CREATE TABLE players (team TEXT REFERENCES teams DEFERRABLE INITIALLY DEFERRED);
                    CREATE TRIGGER no AFTER UPDATE OF updatedAt ON kv_cache BEGIN INSERT INTO players VALUES ('none'); END
                    """)
        }
        let cache = cache()
        await setAgain(after: 4, cache)
        await store.db.settleCache()
        #expect(try await expiries() == [clock.now + 6])
        try await store.db.write { try $0.execute(sql: "DROP TRIGGER no") }
        clock.advance(by: 3)
        await cache.set("newer", for: "k", ttl: 10)
        clock.advance(by: 4)
        #expect(await cache.get("k") == "newer")
    }

    /// A store whose writer waits for no lock.
    private func impatientStore() throws -> TemporaryStore {
        try TemporaryStore(
            options: { $0.pool.configure = { $0.busyMode = .immediateError } }, schema: { $0.addKVCache() })
    }

    @Test func timesThatALockKeepsFromTheirRowGoOnWaiting() async throws {
        let store = try impatientStore()
        let begun = Mutex(0)
        let table = CacheTable(name: "kv_cache") { begun.withLock { $0 += 1 } }
        let write = { @Sendable (body: @escaping @Sendable (GRDB.Database) throws -> Void) async throws in
            try await store.db.pool.writeWithoutTransaction(body)
        }
        let ends = [10, 14.0].map { store.clock.now + $0 }
        try await write { [now = store.clock.now] db in
            for end in ends {
                try db.atomically {
                    try table.set("k", to: Data("1".utf8), expiry: end, now: now, quota: 100, db)
                }
            }
        }
        #expect(begun.withLock { $0 } == 1)
        try await withWriteLock(on: store.url) { try await write { try table.writeWaitingTimes($0) } }
        #expect(begun.withLock { $0 } == 2)
        try await write { try table.writeWaitingTimes($0) }
        #expect(begun.withLock { $0 } == 2)
        #expect(try await store.db.read { try Date.fetchAll($0, sql: "SELECT expiresAt FROM kv_cache") } == [ends[1]])
    }

    @Test func timesThatCouldNotBeWrittenKeepNoLaterOnesFromBeingWritten() async throws {
        let begun = Mutex(0)
        let tables = store.db.cacheTables
        try await store.db.read { db in
            _ = try tables.table(db) { name in CacheTable(name: name) { begun.withLock { $0 += 1 } } }
        }
        let cache = cache()
        await setAgain(after: 4, cache)
        try await store.db.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = ON") }
        await store.db.settleCache()
        try await store.db.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = OFF") }
        await cache.set("two", for: "k", ttl: 10)
        #expect(begun.withLock { $0 } == 2)
    }

    @Test func anotherEntryThatALockKeepsFromBeingSetCostsNoTimes() async throws {
        let store = try impatientStore()
        let cache = DiskCache<String>(db: store.db, config: StorageConfig(clock: store.clock), onError: errors.handler)
        await cache.set("a", for: "k", ttl: 10)
        store.clock.advance(by: 4)
        await cache.set("b", for: "k", ttl: 10)
        try await withWriteLock(on: store.url) { await cache.set("x", for: "another", ttl: 10) }
        #expect(errors.cases == ["cacheWriteFailed"])
        store.clock.advance(by: 7)
        #expect(await cache.get("k") == "b")
        await store.db.settleCache()
        let ends = try await store.db.read { try Date.fetchAll($0, sql: "SELECT expiresAt FROM kv_cache") }
        #expect(ends == [store.clock.now + 3])
    }

    @Test func timesThatWaitAgainAfterAllWereForgottenAreWritten() throws {
        var entries = KnownEntries()
        let key = StoredValue.text("k")
        let renewal = { CacheTable.Renewal(key: key, row: $0, size: 1, expiry: nil, now: clock.now) }
        entries.wait(renewal(try row()), set: clock.now)
        let known = try #require(entries[key])
        entries.removeAll()
        entries.wait(renewal(known), set: clock.now)
        #expect(entries.takeWaiting().map(\.key) == [key])
    }

    @Test func aSaveSetsTheEntryThatAnotherContextTookAway() async throws {
        for name in ["a", "b"] { try await store.storage.save(TestUser("1", name: name)) }
        await store.db.settleCache()
        await (try other()).cache.removeAll()
        try await store.storage.save(TestUser("1", name: "c"))
        #expect(await store.context.cacheStatistics().disk.count == 1)
    }

    @Test func aSaveSetsTheEntryThatAnotherContextTookAwayWhileItWaited() async throws {
        for name in ["a", "b"] { try await store.storage.save(TestUser("1", name: name)) }
        await (try other()).cache.removeAll()
        // It notices that others have committed, and keeps what waits.
        try await store.storage.save(TestUser("2"))
        try await store.storage.save(TestUser("1", name: "c"))
        #expect(await store.context.cacheStatistics().disk.count == 2)
    }

    @Test func aSaveSetsTheEndOfAnEntryThatAnotherContextShortened() async throws {
        for name in ["a", "b"] { try await store.storage.save(TestUser("1", name: name)) }
        let (_, pool) = try other()
        try await pool.write { db in
            try db.execute(
                sql: "UPDATE kv_cache SET expiresAt = ?, updatedAt = ?", arguments: [clock.now + 2, clock.now + 1])
        }
        try await store.storage.save(TestUser("2"))
        try await store.storage.save(TestUser("1", name: "c"))
        await store.db.settleCache()
        let end = clock.now + store.context.config.defaultTTL
        #expect(try await expiries() == [end, end])
    }

    @Test func anEntryThatAnotherContextTookAwayAndThatIsRemovedCountsNoMore() async throws {
        let cache = cache()
        for name in ["a", "b"] { try await store.storage.save(TestUser("1", name: name)) }
        await (try other()).cache.removeAll()
        await cache.set("text", for: "k", ttl: nil)
        try await store.storage.delete(TestUser.self, id: "1")
        await cache.remove(store.context.keys.entityKey(TestUser.self, id: "1"))
        #expect(await store.context.cacheStatistics().disk.bytes == 6)
        // One of them has to go, as if nothing had been taken away.
        await self.cache(quota: 11).set("text", for: "l", ttl: nil)
        #expect(await cache.get("k") == nil)
        #expect(await cache.get("l") == "text")
    }

    @Test func whereOthersCommitAllTheTimeSavedEntitiesAreTold() async throws {
        let (_, pool) = try other()
        try await pool.write { try $0.execute(sql: "CREATE TABLE notes (text)") }
        for name in ["a", "b"] {
            try await store.storage.save(TestUser("1", name: name))
            clock.advance(by: 1)
        }
        try await pool.write { try $0.execute(sql: "INSERT INTO notes VALUES ('x')") }
        await store.db.settleCache()
        #expect(try await expiries() == [clock.now - 1 + store.context.config.defaultTTL])
    }

    @Test func whereOthersCommitBetweenSavesTooSavedEntitiesAreTold() async throws {
        let (_, pool) = try other()
        try await pool.write { try $0.execute(sql: "CREATE TABLE notes (text)") }
        for name in ["a", "b"] {
            try await store.storage.save(TestUser("1", name: name))
            try await pool.write { try $0.execute(sql: "INSERT INTO notes VALUES ('x')") }
            clock.advance(by: 1)
        }
        await store.db.settleCache()
        #expect(try await expiries() == [clock.now - 1 + store.context.config.defaultTTL])
    }

    @Test func anEntityThatGrewCountsForWhatItIs() async throws {
        let storage = store.storage
        let bytes = { await store.context.cacheStatistics().disk.bytes }
        try await storage.save(TestUser("1", name: "a"))
        let before = await bytes()
        try await storage.save(TestUser("1", name: String(repeating: "a", count: 101)))
        #expect(await bytes() == before + 100)
        try await storage.save(TestUser("1", name: String(repeating: "a", count: 11)))
        #expect(await bytes() == before + 10)
        await store.db.settleCache()
        #expect(await bytes() == before + 10)
        #expect(try await store.db.read { try Int.fetchAll($0, sql: "SELECT size FROM kv_cache") } == [before + 10])
    }

    @Test func anEntityThatGrewPutsOthersOut() async throws {
        let store = try TemporaryStore(
            options: { $0.diskQuotaBytes = 500 },
            schema: { schema in
                schema.addKVCache()
                schema.autoSchema(TestUserRecord.self)
            })
        for id in ["1", "2"] { try await store.storage.save(TestUser(id)) }
        #expect(await store.context.cacheStatistics().disk.count == 2)
        for count in [1, 200, 430] {
            try await store.storage.save(TestUser("2", name: String(repeating: "a", count: count)))
        }
        let disk = await store.context.cacheStatistics().disk
        #expect(disk.count == 1 && disk.bytes <= 500 && disk.evictions == 1)
        try await store.storage.save(TestUser("2", name: String(repeating: "a", count: 600)))
        #expect(await store.context.cacheStatistics().disk.count == 0)
    }

    @Test func whereNothingWaitsTheFileIsNotLocked() async throws {
        let cache = cache()
        await cache.set("v", for: "k", ttl: 10)
        let begun = Mutex(0)
        try await store.db.pool.writeWithoutTransaction { db in
            db.trace { event in
                let isBegin = "\(event)".hasPrefix("BEGIN")
                if isBegin { begun.withLock { $0 += 1 } }
            }
        }
        await store.db.settleCache()
        #expect(begun.withLock { $0 } == 0)
        await cache.set("w", for: "k", ttl: 10)
        await store.db.settleCache()
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

    @Test func toOthersAnEntryThatIsSetForEverNeverEnds() async throws {
        let (another, _) = try other()
        let cache = cache()
        for ttl in [10, 0.0] { await cache.set("v", for: "k", ttl: ttl) }
        clock.advance(by: 1e6)
        #expect(await another.get("k") == "v")
    }

    @Test func whatWasPrunedAndIsSetAnewCountsForWhatItIs() async {
        let cache = cache(quota: 14)
        for value in ["old", "text"] { await cache.set(value, for: "k", ttl: 10) }
        clock.advance(by: 10)
        await cache.pruneExpired()
        for key in ["k", "a", "b"] { await cache.set("text", for: key, ttl: 10) }
        #expect(await cache.get("k") == nil)
        #expect(await cache.get("b") == "text")
    }

    @Test func whatWasTakenAwayBeforeItsTimesWereWrittenLeavesRoom() async throws {
        let cache = cache(quota: 14)
        for key in ["a", "a", "b"] { await cache.set("text", for: key, ttl: nil) }
        try await store.db.write { try $0.execute(sql: "DELETE FROM kv_cache") }
        await store.db.settleCache()
        await cache.set("text", for: "c", ttl: nil)
        #expect(await cache.get("c") == "text")
    }

    @Test func removingWhatSQLOfTheAppTookAwayMakesNoMoreRoomThanThereIs() async throws {
        let cache = cache(quota: 14)
        for key in ["a", "a", "b", "b"] { await cache.set("text", for: key, ttl: nil) }
        await store.db.settleCache()
        try await store.db.write { try $0.execute(sql: "DELETE FROM kv_cache") }
        await cache.set("text", for: "b", ttl: nil)
        await cache.remove("a")
        for key in ["c", "d"] { await cache.set("text", for: key, ttl: nil) }
        #expect(await store.context.cacheStatistics().disk.bytes <= 14)
    }

    @Test func anEntityThatHadToGoHasAnEntryAgainOnceItIsSaved() async throws {
        let store = try TemporaryStore(
            options: { $0.diskQuotaBytes = 500 },
            schema: { schema in
                schema.addKVCache()
                schema.autoSchema(TestUserRecord.self)
            })
        for id in ["1", "1", "2"] { try await store.storage.save(TestUser(id)) }
        try await store.storage.save(TestUser("2", name: String(repeating: "a", count: 430)))
        try await store.storage.save(TestUser("1"))
        let keys = try await store.db.read { try String.fetchAll($0, sql: "SELECT key FROM kv_cache") }
        #expect(keys == [store.context.keys.entityKey(TestUser.self, id: "1")])
    }

    @Test func whatSQLOfTheAppTookAwayLeavesRoom() async throws {
        let cache = cache(quota: 14)
        for key in ["a", "a", "b"] { await cache.set("text", for: key, ttl: nil) }
        try await store.db.write { try $0.execute(sql: "DELETE FROM kv_cache") }
        for key in ["a", "c"] { await cache.set("text", for: key, ttl: nil) }
        #expect(await cache.get("a") == "text")
        #expect(await cache.get("c") == "text")
    }
}
