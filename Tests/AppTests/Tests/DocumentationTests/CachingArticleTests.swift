import StorageKit
import Testing

/// The code of the article on caching, compiled and run.
enum Lounge {
    @StorageEntity
    struct User: Equatable {
        var id: String
        var name: String
    }
}

@Suite struct CachingArticleTests {
    typealias User = Lounge.User
    typealias UserRecord = Lounge.UserRecord

    @Test func theArticleDoesWhatItShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("lounge.sqlite")
        let options = StartOptions(
            defaultTTL: 600, diskQuotaBytes: 50_000_000, memoryCapacity: 10_000,
            onCacheError: { print("cache:", $0) })
        let context = try StorageKit.start(at: url, options: options) { schema in
            schema.addKVCache()
            schema.autoSchema(UserRecord.self)
        }
        let storage = context.facade
        // A batch is not put into the caches.
        try await storage.save([User(id: "1", name: "Ada")])

        let user = try await storage.get(User.self, id: "1")
        let again = try await storage.get(User.self, id: "1")
        #expect(user == again)
        #expect(await context.cacheStatistics().memory.hits == 1)
        try await context.storage.pool.write { db in
            try db.execute(sql: "UPDATE users SET name = 'Grace'")
        }
        let renamed = try await storage.get(User.self, id: "1")
        #expect(renamed?.name == "Grace")

        let repository = storage.repository(User.self)
        #expect(try await repository.get(id: "1", policy: .localFirst(ttl: 300)) == renamed)
        #expect(try await repository.get(id: "1", policy: .databaseOnly) == renamed)
        #expect(try await repository.get(id: "1", policy: .cacheOnly) == renamed)
        #expect(try await repository.get(id: "1") == renamed)
        #expect(try await repository.get(id: "2", policy: .cacheOnly) == nil)

        let caches = await context.cacheStatistics()
        print(caches.memory.hits, caches.memory.misses, caches.disk.bytes)

        let bytes = Data([1, 2, 3])
        let pictures = DiskCache<Data>(db: context.storage.dbActor, config: context.config)
        await pictures.set(bytes, for: "avatar-1", ttl: 3600)
        let avatar = await pictures.get("avatar-1")
        #expect(avatar == bytes)

        let names = MemoryCache<String, String>(capacity: 100, defaultTTL: 60, clock: SystemClock())
        await names.set("Ada", for: "1", ttl: nil)
        #expect(await names.get("1") == "Ada")

        let index = QueryIndexStore(db: context.storage.dbActor, config: context.config)
        await index.set(["3", "1"], for: context.keys.queryKey("recent"), ttl: 60)
        #expect(await index.get(context.keys.queryKey("recent")) == ["3", "1"])
    }
}
