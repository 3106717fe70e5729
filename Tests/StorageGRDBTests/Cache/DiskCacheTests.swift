import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@Suite struct DiskCacheTests {
    private let store: TemporaryStore
    private let errors = ErrorLog()
    private var clock: ManualClock { store.clock }

    init() throws {
        store = try TemporaryStore { $0.addKVCache() }
    }

    private func cache<Value>(
        _ type: Value.Type = String.self, quota: Int = 1_000_000, ttl: TimeInterval = 60,
        on store: TemporaryStore? = nil
    ) -> DiskCache<Value> {
        let config = StorageConfig(defaultTTL: ttl, diskQuotaBytes: quota, clock: clock)
        return DiskCache(db: (store ?? self.store).db, config: config, onError: errors.handler)
    }

    /// A text that takes so many bytes as JSON.
    private func text(bytes: Int) -> String { String(repeating: "x", count: bytes - 2) }

    /// The keys, those first that were set longest ago.
    private func keys() async throws -> [String] {
        await store.db.settleCache()
        return try await store.db.read {
            try String.fetchAll($0, sql: "SELECT key FROM kv_cache ORDER BY updatedAt, rowid")
        }
    }

    private func unorderedKeys() async throws -> [String] {
        try await store.db.read { try String.fetchAll($0, sql: "SELECT key FROM kv_cache") }
    }

    private func run(_ sql: String) async throws {
        try await store.context.storage.pool.write { try $0.execute(sql: sql) }
    }

    // MARK: - Where it runs

    /// Says whether it was decoded on the main actor.
    private struct Witness: Codable, Sendable {
        static let mainQueue = MainQueue()
        let wasOnMainActor: Bool

        init() { wasOnMainActor = true }
        init(from decoder: any Decoder) { wasOnMainActor = Witness.mainQueue.isCurrent }
    }

    @Test @MainActor func aValueIsNotReadOnTheCallersActor() async throws {
        let cache = cache(Witness.self)
        await cache.set(Witness(), for: "k", ttl: nil)
        try #require(Witness.mainQueue.isCurrent)
        #expect(await cache.get("k")?.wasOnMainActor == false)
    }

    // MARK: - Lifetime

    @Test func aValueIsThereUntilTheMomentItExpires() async {
        let cache = cache()
        await cache.set("v", for: "k", ttl: 10)
        clock.advance(by: 9.999)
        #expect(await cache.get("k") == "v")
        clock.advance(by: 0.001)
        #expect(await cache.get("k") == nil)
    }

    @Test func withoutALifetimeTheConfigurationsHolds() async {
        let cache = cache(ttl: 60)
        await cache.set("v", for: "k", ttl: nil)
        clock.advance(by: 59.999)
        #expect(await cache.get("k") == "v")
        clock.advance(by: 0.001)
        #expect(await cache.get("k") == nil)
    }

    @Test(arguments: [0, -1, .infinity, .nan, 1e12, .greatestFiniteMagnitude])
    func aLifetimeThatIsNoneIsForEver(ttl: TimeInterval) async {
        let cache = cache()
        await cache.set("v", for: "k", ttl: ttl)
        clock.advance(by: 1e9)
        #expect(await cache.get("k") == "v")
        #expect(errors.cases.isEmpty)
    }

    @Test func pruningTakesWhatHasExpiredAndNothingElse() async throws {
        let cache = cache()
        for (key, ttl) in [("a", 10.0), ("b", 10.001), ("c", 0), ("d", 5)] { await cache.set("v", for: key, ttl: ttl) }
        clock.advance(by: 10)
        await cache.pruneExpired()
        #expect(try await keys() == ["b", "c"])
    }

    @Test func settingAgainBeginsANewLifetime() async {
        let cache = cache()
        await cache.set("v", for: "k", ttl: 10)
        clock.advance(by: 9)
        await cache.set("w", for: "k", ttl: 10)
        clock.advance(by: 9)
        #expect(await cache.get("k") == "w")
    }

    // MARK: - Quota

    @Test func theQuotaMayBeUsedUpToTheLastByte() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 60), for: "a", ttl: nil)
        await cache.set(text(bytes: 40), for: "b", ttl: nil)
        #expect(try await keys() == ["a", "b"])
    }

    @Test func oneByteOverTheQuotaTakesTheOneSetLongestAgo() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 60), for: "a", ttl: nil)
        await cache.set(text(bytes: 20), for: "b", ttl: nil)
        _ = await cache.get("a")
        await cache.set(text(bytes: 21), for: "c", ttl: nil)
        #expect(try await keys() == ["b", "c"])
    }

    @Test func whatWasSetAgainIsNotTheOldestThoughTheClockWentBack() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 40), for: "a", ttl: 0)
        await cache.set(text(bytes: 40), for: "b", ttl: 0)
        clock.advance(by: -60)
        await cache.set(text(bytes: 40), for: "a", ttl: 0)
        await cache.set(text(bytes: 40), for: "c", ttl: 0)
        #expect(try await keys() == ["a", "c"])
    }

    @Test func whatHasExpiredGoesFirst() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 40), for: "old", ttl: 100)
        await cache.set(text(bytes: 40), for: "expired", ttl: 10)
        clock.advance(by: 10)
        await cache.set(text(bytes: 40), for: "new", ttl: 100)
        #expect(try await keys() == ["old", "new"])
    }

    @Test func aValueLargerThanTheQuotaIsNotKept() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 30), for: "a", ttl: nil)
        await cache.set(text(bytes: 30), for: "b", ttl: nil)
        await cache.set(text(bytes: 101), for: "a", ttl: nil)
        #expect(await cache.get("a") == nil)
        #expect(try await keys() == ["b"])
        await cache.set(text(bytes: 100), for: "a", ttl: nil)
        #expect(try await keys() == ["a"])
    }

    @Test(arguments: [0, -1]) func withoutAQuotaNothingIsKept(quota: Int) async throws {
        await cache(quota: quota).set("v", for: "k", ttl: nil)
        #expect(try await keys().isEmpty)
        #expect(errors.cases.isEmpty)
    }

    @Test func settingAKeyAgainCountsItOnce() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 50), for: "a", ttl: nil)
        for size in 2...50 { await cache.set(text(bytes: size), for: "b", ttl: nil) }
        #expect(try await keys() == ["a", "b"])
        await cache.set(text(bytes: 50), for: "a", ttl: nil)
        await cache.set(text(bytes: 2), for: "c", ttl: nil)
        #expect(try await keys() == ["a", "c"])
    }

    @Test func cachesOfOneStoreShareTheQuota() async throws {
        let (texts, numbers) = (cache(quota: 100), cache([Int].self, quota: 100))
        await texts.set(text(bytes: 60), for: "a", ttl: nil)
        await numbers.set([Int](repeating: 1, count: 30), for: "b", ttl: nil)
        #expect(try await keys() == ["b"])
        await texts.set(text(bytes: 40), for: "c", ttl: nil)
        #expect(try await keys() == ["c"])
    }

    @Test func randomProgramsDoAsAModelDoes() async throws {
        var random = SeededGenerator()
        for program in 0..<programCount(quick: 15, full: 1000) {
            let quota = Int.random(in: 20...120, using: &random)
            let cache = cache(quota: quota)
            await cache.removeAll()
            var model = DiskModel(quota: quota)
            for step in 0..<40 {
                let key = "k\(Int.random(in: 0..<8, using: &random))"
                switch Int.random(in: 0..<8, using: &random) {
                case 0...3:
                    let size = Int.random(in: 2...60, using: &random)
                    let ttl = Bool.random(using: &random) ? 0 : Double(Int.random(in: 1...9, using: &random))
                    await cache.set(text(bytes: size), for: key, ttl: ttl)
                    model.set(key, size, expiry: ttl > 0 ? clock.now + ttl : nil, now: clock.now)
                case 4:
                    await cache.remove(key)
                    model.entries.removeAll { $0.key == key }
                case 5:
                    let isThere = model.entries.contains { $0.key == key && !$0.isExpired(clock.now) }
                    #expect(await (cache.get(key) != nil) == isThere, "STORAGEKIT_SEED=\(random.seed)")
                case 6 where Bool.random(using: &random):
                    await cache.pruneExpired()
                    model.entries.removeAll { $0.isExpired(clock.now) }
                default: clock.advance(by: Double(Int.random(in: -2...5, using: &random)))
                }
                // Between the steps rows may wait for their times, and then say nothing of the order.
                let isOrdered = Int.random(in: 0..<4, using: &random) == 0
                let (keys, expected) = (try await isOrdered ? keys() : unorderedKeys(), model.entries.map(\.key))
                guard isOrdered ? keys == expected : Set(keys) == Set(expected) else {
                    Issue.record(
                        "STORAGEKIT_SEED=\(random.seed), program \(program), step \(step): \(keys), not \(expected)")
                    return
                }
            }
        }
    }

    // MARK: - Counting

    @Test func aSetScansNothing() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 20), for: "first", ttl: nil)
        let statements = Mutex<[String]>([])
        try await store.db.pool.writeWithoutTransaction { db in
            db.trace { event in
                let sql = "\(event)"
                statements.withLock { $0.append(sql) }
            }
        }
        for number in 0..<20 { await cache.set(text(bytes: 20), for: "\(number)", ttl: nil) }
        await cache.remove("19")
        try await store.db.pool.writeWithoutTransaction { $0.trace(options: []) }
        let traced = statements.withLock { $0 }
        #expect(traced.contains { $0.contains("INSERT INTO") })
        #expect(!traced.contains { $0.contains("TOTAL(") })
        for sql in Set(traced) where ["SELECT", "DELETE"].contains(where: sql.hasPrefix) {
            let plan = try await store.db.read { db in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql.replacingOccurrences(of: "?", with: "1")).map {
                    $0["detail"] as String
                }
            }
            // The end of an index, and no more than its first row.
            let scans = plan.filter { $0.hasPrefix("SCAN") }
            #expect(scans.isEmpty || sql.contains(#"ORDER BY "updatedAt", rowid LIMIT 1"#), "\(sql): \(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(sql): \(plan)")
        }
    }

    @Test func whatAnotherConnectionSetsCounts() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 20), for: "a", ttl: nil)
        let other = try GRDB.DatabaseQueue(path: store.url.path)
        try await other.write { db in
            try db.execute(
                sql: "INSERT INTO kv_cache VALUES ('b', zeroblob(70), '2026-01-01 00:00:00.000', NULL, 70)")
        }
        await cache.set(text(bytes: 20), for: "c", ttl: nil)
        #expect(try await keys() == ["b", "c"])
        try await other.write { try $0.execute(sql: "DELETE FROM kv_cache") }
        await cache.set(text(bytes: 50), for: "d", ttl: nil)
        await cache.set(text(bytes: 50), for: "e", ttl: nil)
        #expect(try await keys() == ["d", "e"])
    }

    @Test func aLargeValueCountsWithTheBytesThatItHas() async throws {
        try await run("INSERT INTO kv_cache VALUES ('large', zeroblob(1500), '2026-01-01 00:00:00.000', NULL, 1)")
        await cache(quota: 2000).set(text(bytes: 600), for: "a", ttl: nil)
        #expect(try await keys() == ["a"])
    }

    @Test func aSizeThatNoValueHasCountsAsNone() async throws {
        try await run("INSERT INTO kv_cache VALUES ('a', x'00', '2026-01-01 00:00:00.000', NULL, 9000000000000000000)")
        await cache(quota: 100).set(text(bytes: 100), for: "b", ttl: nil)
        #expect(try await keys() == ["a", "b"])
    }

    @Test(arguments: ["'9999-12-31 23:59:59.999999'", "9e999", "-9e999", "1000000000000"])
    func anEntryWithATimeThatNoneIsSetAtKeepsNoneFromBeingSet(time: String) async throws {
        let cache = cache()
        await cache.set("old", for: "a", ttl: nil)
        let queue = try GRDB.DatabaseQueue(path: store.url.path)
        try await queue.write { try $0.execute(sql: "UPDATE kv_cache SET updatedAt = \(time)") }
        for key in ["b", "a", "b"] { await cache.set("new", for: key, ttl: nil) }
        #expect(try await keys() == ["a", "b"])
        for key in ["a", "b"] { #expect(await cache.get(key) == "new") }
        #expect(errors.cases.isEmpty)
    }

    @Test func afterRemovingAllTheWholeQuotaIsFree() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 100), for: "a", ttl: nil)
        await cache.removeAll()
        #expect(try await keys().isEmpty)
        await cache.set(text(bytes: 50), for: "b", ttl: nil)
        await cache.set(text(bytes: 50), for: "c", ttl: nil)
        #expect(try await keys() == ["b", "c"])
    }

    @Test func afterPruningTheirSpaceIsFree() async throws {
        let cache = cache(quota: 100)
        await cache.set(text(bytes: 40), for: "a", ttl: 1)
        await cache.set(text(bytes: 40), for: "b", ttl: 0)
        clock.advance(by: 1)
        await cache.pruneExpired()
        await cache.set(text(bytes: 60), for: "c", ttl: 0)
        #expect(try await keys() == ["b", "c"])
    }

    // MARK: - Values

    @Test func aValueComesBackAsItWas() async {
        let cache = cache([String: Date?].self)
        let value = ["now": clock.now, "never": nil]
        await cache.set(value, for: "k", ttl: nil)
        #expect(await cache.get("k") == value)
        #expect(await cache.get("K") == nil)
    }

    @Test func theKeyMayBeAnyText() async {
        let cache = cache()
        let keys = ["", " ", "'", "é", "e\u{301}", "👩‍🚀", "a%b", String(repeating: "k", count: 10_000)]
        for (index, key) in keys.enumerated() { await cache.set("\(index)", for: key, ttl: nil) }
        for (index, key) in keys.enumerated() { #expect(await cache.get(key) == "\(index)") }
    }

    @Test func removingTakesOneKey() async throws {
        let cache = cache()
        for key in ["a", "b"] { await cache.set("v", for: key, ttl: nil) }
        await cache.remove("a")
        await cache.remove("nothing")
        #expect(try await keys() == ["b"])
    }

    @Test(arguments: ["x'00FF00'", "x''", "'[1'", "7", "substr(blob, 2)"])
    func anEntryThatCannotBeReadIsAMissAndRemovedAndReported(blob: String) async throws {
        let cache = cache()
        await cache.set("value", for: "k", ttl: nil)
        try await run("UPDATE kv_cache SET blob = \(blob)")
        #expect(await cache.get("k") == nil)
        #expect(errors.cases == ["cacheDecodingFailed"])
        #expect(try await keys().isEmpty)
        await cache.set("again", for: "k", ttl: nil)
        #expect(await cache.get("k") == "again")
    }

    @Test(arguments: ["x'00'", "'soon'"]) func anEntryWithoutATimeThatCanBeReadIsAMissAndRemoved(expiry: String)
        async throws
    {
        let cache = cache()
        await cache.set("value", for: "key", ttl: 0)
        try await store.db.write { try $0.execute(sql: "UPDATE kv_cache SET expiresAt = \(expiry)") }
        #expect(await cache.get("key") == nil)
        #expect(errors.cases == ["cacheDecodingFailed"])
        #expect(try await keys().isEmpty)
    }

    /// A value whose reading takes until somebody else has set another.
    private struct Slow: Codable, Sendable {
        nonisolated(unsafe) static var whileReading: (() throws -> Void)?

        init() {}

        init(from decoder: any Decoder) throws {
            try Slow.whileReading?()
            throw CancellationError()
        }
    }

    @Test func aValueThatWasSetWhileTheOneBeforeCouldNotBeReadStays() async throws {
        let cache = cache(Slow.self)
        await cache.set(Slow(), for: "k", ttl: nil)
        let stranger = try GRDB.DatabaseQueue(path: store.url.path)
        Slow.whileReading = { try stranger.write { try $0.execute(sql: "UPDATE kv_cache SET blob = x'22206E657722'") } }
        #expect(await cache.get("k").map { _ in true } == nil)
        #expect(errors.cases == ["cacheDecodingFailed"])
        #expect(try await unorderedKeys() == ["k"])
    }

    @Test func aValueOfAnotherTypeIsAMiss() async throws {
        await cache().set("text", for: "k", ttl: nil)
        #expect(await cache(Int.self).get("k") == nil)
        #expect(errors.cases == ["cacheDecodingFailed"])
    }

    @Test func aValueThatCannotBeEncodedIsReportedAndTheOneBeforeIsGone() async throws {
        await cache(Double.self).set(1, for: "k", ttl: nil)
        await cache(Double.self).set(.nan, for: "k", ttl: nil)
        #expect(errors.cases == ["cacheEncodingFailed"])
        #expect(try await keys().isEmpty)
    }

    // MARK: - The table

    @Test func aCustomTableIsTheOneThatIsUsed() async throws {
        let store = try TemporaryStore { $0.addKVCache(tableName: "my cache") }
        let cache = cache(on: store)
        await cache.set("v", for: "k", ttl: nil)
        #expect(await cache.get("k") == "v")
        let names = try await store.db.read { db in
            try String.fetchAll(db, sql: #"SELECT key FROM "my cache""#) + [
                try db.tableExists("kv_cache") ? "?" : ""
            ]
        }
        #expect(names == ["k", ""])
    }

    @Test func withoutAStartTheTableOfTheLastSchemaIsUsed() async throws {
        let later = try TemporaryStore(folder: store.folder) { $0.addKVCache(tableName: "later") }
        let db = DatabaseActor(pool: try GRDB.DatabasePool(path: store.url.path))
        await DiskCache<String>(db: db, config: StorageConfig(clock: clock)).set("v", for: "k", ttl: nil)
        #expect(try await later.db.read { try String.fetchAll($0, sql: "SELECT key FROM later") } == ["k"])
    }

    @Test func withoutATableEveryReadAndWriteIsReported() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        let cache = cache(on: store)
        await cache.set("v", for: "k", ttl: nil)
        #expect(await cache.get("k") == nil)
        await cache.remove("k")
        await cache.removeAll()
        await cache.pruneExpired()
        #expect(
            errors.cases == ["cacheWriteFailed", "cacheReadFailed"] + Array(repeating: "cacheWriteFailed", count: 3))
    }

    @Test func aTableThatWasDroppedIsReported() async throws {
        let cache = cache()
        await cache.set("v", for: "k", ttl: nil)
        try await run("DROP TABLE kv_cache")
        #expect(await cache.get("k") == nil)
        await cache.set("v", for: "k", ttl: nil)
        #expect(errors.cases == ["cacheReadFailed", "cacheWriteFailed"])
    }

    @Test func aLockedFileCanBeReadAndAWriteIsReported() async throws {
        let store = try TemporaryStore(
            options: { $0.pool = PoolOptions(configure: { $0.busyMode = .immediateError }) },
            schema: { $0.addKVCache() })
        let cache = cache(on: store)
        await cache.set("v", for: "k", ttl: nil)
        let child = try ChildProcess("hold-lock", store.url.path, "write")
        try await child.line("locked")
        await cache.set("w", for: "k", ttl: nil)
        #expect(errors.cases == ["cacheWriteFailed"])
        #expect(await cache.get("k") == "v")
        child.closeInput()
        try await child.exit()
        await cache.set("w", for: "k", ttl: nil)
        #expect(await cache.get("k") == "w")
    }
}

/// The entries in the order in which they were set.
private struct DiskModel {
    struct Entry {
        let key: String
        let size: Int
        let expiry: Date?
        /// Which entry it was when its key came in.
        let row: Int
        func isExpired(_ now: Date) -> Bool { expiry.map { $0 <= now } ?? false }
    }

    let quota: Int
    /// Those that were set longest ago first.
    var entries: [Entry] = []
    private var rows = 0

    init(quota: Int) {
        self.quota = quota
    }

    mutating func set(_ key: String, _ size: Int, expiry: Date?, now: Date) {
        let known = entries.first { $0.key == key }
        entries.removeAll { $0.key == key }
        guard size <= quota else { return }
        rows += 1
        entries.append(Entry(key: key, size: size, expiry: expiry, row: known?.row ?? rows))
        while entries.reduce(0, { $0 + $1.size }) > quota {
            let expired = entries.indices.filter { entries[$0].isExpired(now) }
            // Of those that expired at the same time, which goes first is nobody's concern: the table has an order of its own.
            let first = expired.min {
                (entries[$0].expiry ?? now, entries[$0].row) < (entries[$1].expiry ?? now, entries[$1].row)
            }
            entries.remove(at: first ?? 0)
        }
    }
}
