import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Whatever stands in the table of the disk cache: a read finds what was saved, or a miss.
@Suite struct CacheBlobFuzzTests {
    @Test func anyEntryIsWhatWasSavedOrAMiss() async throws {
        var input = FuzzInput("cache entries")
        let cached = try cached()
        let entity = EveryType.random(using: &input.random)
        try await cached.storage.save(entity)
        let (key, good) = try await cached.entry()
        let count = programCount(short: 200, quick: 800, full: 50_000)
        for _ in 0..<count {
            try await cached.put(CacheEntry(key: key, from: good, &input))
            #expect(try await cached.storage.get(EveryType.self, id: entity.id) == entity, "\(input.seed)")
        }
        // One that turned the tier off would hide all after it.
        #expect(cached.errors.cases.count > count / 4)
        #expect(Set(cached.errors.cases) == ["cacheDecodingFailed"])
        reportFuzz("entries of entities", (count, "entries"), (cached.errors.cases.count, "reported"))
    }

    @Test func anyEntryOfADiskCacheIsAValueOrAMiss() async throws {
        var input = FuzzInput("JSON entries")
        let cached = try cached()
        let errors = ErrorLog()
        let cache = DiskCache<[String: Figure]>(
            db: cached.store.db, config: cached.store.context.config, onError: errors.handler)
        let count = programCount(quick: 800, full: 50_000)
        var values = 0
        for _ in 0..<count {
            errors.clear()
            try await cached.put(CacheEntry(key: "key", from: Data(input.json().utf8), &input))
            if await cache.get("key") != nil { values += 1 }
            #expect(
                errors.cases.allSatisfy { ["cacheDecodingFailed", "cacheReadFailed"].contains($0) }, "\(input.seed)")
        }
        #expect(values > 0)
        reportFuzz("entries of a disk cache", (count, "entries"), (values, "values"))
    }

    private func cached() throws -> CachedStore {
        let cached = try CachedStore(options: {
            $0.memoryCapacity = 0
            $0.pool = .withoutSync
        }) { schema in
            schema.addKVCache()
            schema.autoSchema(EveryTypeRecord.self)
        }
        try cached.store.context.storage.pool.write { db in
            // Any value in any column.
            try db.execute(
                sql: "DROP TABLE kv_cache; CREATE TABLE kv_cache (key PRIMARY KEY, blob, updatedAt, expiresAt, size)")
        }
        return cached
    }
}

/// A row of the cache table.
private struct CacheEntry {
    let key: String
    var blob: DatabaseValue
    var isText = false
    var expiry: DatabaseValue = "9999-01-01 00:00:00.000".databaseValue
    var size: DatabaseValue = 1.databaseValue
    var set: DatabaseValue = "2020-01-01 00:00:00.000".databaseValue

    init(key: String, blob: Data) {
        self.key = key
        self.blob = blob.databaseValue
    }

    /// One that comes of a good blob, or of none.
    init(key: String, from good: Data, _ input: inout FuzzInput) {
        let bytes =
            switch input.number(0...5) {
            case 0: input.bytes(upTo: 60)
            case 1: Array(good.prefix(input.number(0...good.count)))
            case 2: Array(good)
            default: input.mutated(Array(good))
            }
        self.init(key: key, blob: Data(bytes))
        if input.once(in: 10) { blob = input.pick([.null, Int64.max.databaseValue, (0.5).databaseValue]) }
        isText = input.once(in: 8)
        if input.once(in: 8) { size = input.pick([.null, Int64.max.databaseValue, input.text().databaseValue]) }
        if input.once(in: 8) { set = input.pick([.null, 0.databaseValue, input.text().databaseValue]) }
        if input.once(in: 6) {
            expiry = input.pick([.null, 0.databaseValue, Double.infinity.databaseValue, input.text().databaseValue])
        }
    }
}

extension CachedStore {
    /// The one entry that there is.
    fileprivate func entry() async throws -> (key: String, blob: Data) {
        await settle()
        let key = try #require(try await fetch(String.self, "SELECT key FROM kv_cache").first)
        return (key, try #require(try await fetch(Data.self, "SELECT blob FROM kv_cache").first))
    }

    fileprivate func put(_ entry: CacheEntry) async throws {
        // What a read has found out is written later.
        await settle()
        try await store.context.storage.pool.write { db in
            let blob = entry.isText ? "CAST(? AS TEXT)" : "?"
            try db.execute(
                sql: "INSERT OR REPLACE INTO kv_cache VALUES (?, \(blob), ?, ?, ?)",
                arguments: [entry.key, entry.blob, entry.set, entry.expiry, entry.size])
        }
    }
}
