import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// The table of the disk cache where several stores write to one file.
@Suite(.timeLimit(.minutes(20))) struct SharedCacheTableTests {
    private let clock = ManualClock()
    private let folder: TemporaryFolder
    /// How often all entries of the table were counted by the first store.
    private let counts: Counts
    private let stores: [TemporaryStore]

    private final class Counts: Sendable {
        let number = Atomic<Int>(0)
        var value: Int { number.load(ordering: .relaxed) }
    }

    init() throws {
        let (folder, counts) = (try TemporaryFolder(), Counts())
        let options: (inout StorageKit.StartOptions) -> Void = {
            $0.pool.alsoPrepare { db in
                db.trace { event in
                    let sql = "\(event)"
                    guard sql.contains("TOTAL("), !sql.contains("WHERE \"") else { return }
                    counts.number.add(1, ordering: .relaxed)
                }
            }
        }
        let first = try TemporaryStore(folder: folder, options: options) { $0.addKVCache() }
        stores = [first, try TemporaryStore(folder: folder) { $0.addKVCache() }]
        (self.folder, self.counts) = (folder, counts)
    }

    /// The disk caches of the stores, in their order.
    private func caches(quota: Int) -> [DiskCache<String>] {
        stores.map { store in
            DiskCache(db: store.db, config: StorageConfig(defaultTTL: 0, diskQuotaBytes: quota, clock: clock))
        }
    }

    /// A text that takes so many bytes as JSON.
    private func text(bytes: Int) -> String { String(repeating: "x", count: bytes - 2) }

    /// Sets entries of 50 bytes, whose keys are the numbers.
    private func fill(_ cache: DiskCache<String>, _ numbers: Range<Int>) async {
        for number in numbers { await cache.set(text(bytes: 50), for: "\(number)", ttl: nil) }
    }

    private func sum() async throws -> Int {
        try await stores[0].db.read { try Int.fetchOne($0, sql: "SELECT SUM(size) FROM kv_cache") } ?? 0
    }

    private func has(_ key: String) async throws -> Bool {
        try await stores[0].db.read {
            try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM kv_cache WHERE key = ?)", arguments: [key])
        } == true
    }

    @Test func setsOfSeveralStoresInTurnDoNotCountTheTableEachTime() async throws {
        let caches = caches(quota: 100_000)
        await fill(caches[0], 0..<1000)
        let before = counts.value
        for number in 0..<40 {
            clock.advance(by: 1)
            await caches[1].set(text(bytes: 50), for: "other \(number)", ttl: nil)
            await caches[0].set(text(bytes: 50), for: "new \(number)", ttl: nil)
            await caches[0].remove("\(number)")
        }
        #expect(counts.value - before <= 2)
        #expect(try await sum() == 1040 * 50)
    }

    @Test func aFullTableIsNotCountedEachTimeEither() async throws {
        let caches = caches(quota: 50_000)
        await fill(caches[0], 0..<1000)
        let before = counts.value
        for number in 0..<200 {
            clock.advance(by: 1)
            for (index, cache) in caches.enumerated() {
                await cache.set(text(bytes: 50), for: "\(index): \(number)", ttl: nil)
            }
            #expect(try await sum() <= 50_000)
        }
        #expect(counts.value - before <= 20)
        #expect(try await sum() > 40_000)
        #expect(try await has("0: 199"))
    }

    /// Caches of a table with so many entries of 50 bytes, which both have counted.
    private func filled(_ count: Int, quota: Int = 50_000) async -> [DiskCache<String>] {
        let caches = caches(quota: quota)
        await fill(caches[0], 2..<count)
        for number in [1, 0] {
            clock.advance(by: 1)
            await fill(caches[number], number..<number + 1)
        }
        clock.advance(by: 1)
        return caches
    }

    @Test func whatAnotherRemovesMakesRoom() async throws {
        let caches = await filled(1000)
        await caches[1].removeAll()
        for number in 0..<900 { await caches[0].set(text(bytes: 50), for: "again \(number)", ttl: nil) }
        #expect(try await sum() == 900 * 50)
    }

    @Test func whatAnotherSetsCounts() async throws {
        let caches = await filled(500)
        await caches[1].set(text(bytes: 24_000), for: "large", ttl: nil)
        clock.advance(by: 1)
        await caches[0].set(text(bytes: 2_000), for: "last", ttl: nil)
        #expect(try await sum() <= 50_000)
        for key in ["large", "last"] { #expect(try await has(key)) }
    }

    @Test func whatAnotherMakesLargerCounts() async throws {
        let caches = await filled(500)
        await caches[1].set(text(bytes: 24_000), for: "7", ttl: nil)
        await caches[0].set(text(bytes: 2_000), for: "last", ttl: nil)
        #expect(try await sum() <= 50_000)
    }

    @Test func whatAnotherSetsBehindATimeFarAheadCounts() async throws {
        let caches = await filled(500)
        try await stores[1].db.write {
            try $0.execute(sql: "UPDATE kv_cache SET updatedAt = '9999-12-31 00:00:00.000' WHERE key = '9'")
        }
        await caches[0].set(text(bytes: 50), for: "more", ttl: nil)
        clock.advance(by: 1)
        await caches[1].set(text(bytes: 24_000), for: "large", ttl: nil)
        clock.advance(by: 1)
        await caches[0].set(text(bytes: 2_000), for: "last", ttl: nil)
        #expect(try await sum() <= 50_000)
    }

    @Test func whatAnotherSetsBeforeATimeThatIsWrittenLaterCounts() async throws {
        let caches = await filled(500)
        // Set again, so that its time, which is later than that of the other's, is yet to be written.
        clock.advance(by: 10)
        await caches[0].set(text(bytes: 50), for: "3", ttl: nil)
        clock.advance(by: -10)
        await caches[1].set(text(bytes: 24_000), for: "large", ttl: nil)
        await caches[0].set(text(bytes: 2_000), for: "last", ttl: nil)
        #expect(try await sum() <= 50_000)
    }

    @Test func anEntryAsLargeAsTheQuotaIsKeptThoughOthersWrite() async throws {
        let caches = caches(quota: 50_000)
        for number in 0..<900 { await caches[number % 2].set(text(bytes: 50), for: "\(number)", ttl: nil) }
        clock.advance(by: 1)
        await caches[0].set(text(bytes: 50_000), for: "large", ttl: nil)
        #expect(try await has("large"))
        #expect(try await sum() == 50_000)
    }

    @Test func theQuotaIsKeptWhateverSeveralDo() async throws {
        var random = SeededGenerator()
        let quota = 20_000
        let caches = caches(quota: quota)
        for step in 0..<programCount(short: 1500, quick: 3000, full: 100_000) {
            let cache = caches[Int.random(in: 0...1, using: &random)]
            let key = Int.random(in: 0..<600, using: &random)
            clock.advance(by: 0.01)
            switch Int.random(in: 0..<100, using: &random) {
            case 0: await cache.removeAll()
            case 1...20: await cache.remove("\(key)")
            default: await cache.set(text(bytes: Int.random(in: 10..<100, using: &random)), for: "\(key)", ttl: nil)
            }
            let sum = try await sum()
            guard sum <= quota else {
                Issue.record("STORAGEKIT_SEED=\(random.seed), step \(step): \(sum)")
                return
            }
        }
    }
}
