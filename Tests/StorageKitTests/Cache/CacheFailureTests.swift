import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Whatever is wrong with the disk cache, entities are saved and read.
@Suite struct CacheFailureTests {
    private func saved() async throws -> CachedStore {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await store.storage.save(TestUser("1", name: "a"))
        #expect(try await store.place() == CachedStore.disk)
        return store
    }

    /// Everything that an app does with entities, none of which may fail.
    private func useEverything(_ store: CachedStore) async throws {
        let storage = store.storage
        for name in ["b", "c"] {
            try await storage.save(TestUser("1", name: name))
            #expect(try await storage.get(TestUser.self, id: "1")?.name == name)
            try await storage.save([TestUser("2", name: name), TestUser("3")])
            #expect(try await storage.get(TestUser.self, id: "2")?.name == name)
            await store.settle()
            #expect(try await storage.get(TestUser.self, id: "2")?.name == name)
            try await storage.delete(TestUser.self, id: "2")
            #expect(try await storage.get(TestUser.self, id: "2") == nil)
            #expect(try await storage.query(TestUser.self).where { $0.id == "3" }.deleteAll() == 1)
            #expect(try await storage.deleteAll(TestUser.self) == 1)
            #expect(try await storage.get(TestUser.self, id: "1") == nil)
        }
        await store.settle()
    }

    @Test func aCancelledTaskReadsAndRemovesWhatIsInTheCacheAllTheSame() async throws {
        let store = try await saved().store
        let cache = DiskCache<String>(db: store.context.storage.dbActor, config: store.context.config)
        await cache.set("secret", for: "token", ttl: 0)
        let begun = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let busy = Task {
            try await store.context.storage.dbActor.write { _ in
                begun.continuation.finish()
                end.wait()
            }
        }
        for await _ in begun.stream {}
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let value = await cache.get("token")
            let entries = await store.context.cacheStatistics().disk.count
            Task.detached {
                for _ in 0..<1000 { await Task.yield() }
                end.signal()
            }
            await cache.remove("token")
            return (value, entries)
        }
        let (value, entries) = await cancelled.value
        #expect(value == "secret")
        #expect(entries == 2)
        try await busy.value
        #expect(await cache.get("token") == nil)
    }

    @Test func aCancelledTaskFindsTheEntityOfAnEntry() async throws {
        let store = try await saved()
        let cache = DiskCache<TestUser>(db: store.store.context.storage.dbActor, config: store.store.context.config)
        let key = store.store.context.keys.entityKey(TestUser.self, id: "1")
        try #require(await cache.get(key)?.name == "a")
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await cache.get(key)
        }
        #expect(await cancelled.value?.name == "a")
    }

    @Test func anEntryWhoseRowIsGoneIsAMiss() async throws {
        let store = try await saved()
        let cache = DiskCache<TestUser>(db: store.store.context.storage.dbActor, config: store.store.context.config)
        let key = store.store.context.keys.entityKey(TestUser.self, id: "1")
        try await store.run("DELETE FROM testusers")
        let before = await store.store.context.cacheStatistics().disk
        #expect(await cache.get(key) == nil)
        let after = await store.store.context.cacheStatistics().disk
        #expect(after.hits == before.hits)
        #expect(after.misses == before.misses + 1)
    }

    @Test func theCacheIsUsedAgainOnceAFullDiskHasRoom() async throws {
        let store = try await saved()
        let pages = try await store.store.context.storage.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(count)")
            return count
        }
        // Small rows fill what is left of the pages; then there is no room for an entry, and perhaps none for a row.
        for number in 0..<pages * 200 {
            guard await storageError({ try await store.storage.save(TestUser("full\(number)")) }) == nil else { break }
        }
        try await store.store.context.storage.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA max_page_count = 1000000")
        }
        try await store.storage.save(TestUser("after"))
        await store.settle()
        let hits = try await store.hits { _ = try await store.users.get(id: "after", policy: .cacheOnly) }
        #expect(hits == CachedStore.disk)
    }

    @Test(arguments: [
        "x''", "x'00'", "zeroblob(16)", "substr(blob, 2)", "CAST(blob || x'00' AS BLOB)", "'text'", "7",
    ])
    func aBrokenEntryIsAMissAndRemovedAndReported(blob: String) async throws {
        let store = try await saved()
        try await store.run("UPDATE kv_cache SET blob = \(blob)")
        let hits = try await store.hits { () async throws in
            #expect(try await store.users.get(id: "1", policy: .cacheOnly) == nil)
        }
        #expect(hits == CachedStore.table)
        await store.settle()
        #expect(store.errors.cases == ["cacheDecodingFailed"])
        #expect(try await store.fetch(Int.self, "SELECT COUNT(*) FROM kv_cache") == [0])
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "a")
        await store.settle()
        #expect(try await store.place() == CachedStore.disk)
    }

    @Test(arguments: ["x'00'", "'soon'"])
    func anEntryWithoutATimeThatCanBeReadIsMissedAndRemovedAndTheTierStaysOn(expiry: String) async throws {
        let store = try await saved()
        try await store.run("UPDATE kv_cache SET expiresAt = \(expiry)")
        #expect(try await store.users.get(id: "1", policy: .cacheOnly) == nil)
        await store.settle()
        #expect(store.errors.cases == ["cacheDecodingFailed"])
        #expect(try await store.fetch(Int.self, "SELECT COUNT(*) FROM kv_cache") == [0])
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "a")
        await store.settle()
        #expect(try await store.place() == CachedStore.disk)
    }

    @Test func aSaveReplacesAnEntryForEverWhoseTimeCannotBeRead() async throws {
        let store = try CachedStore(options: {
            $0.memoryCapacity = 0
            $0.defaultTTL = 0
        })
        try await store.storage.save(TestUser("1"))
        try await store.run("UPDATE kv_cache SET expiresAt = 'soon'")
        try await store.storage.save(TestUser("1", name: "new"))
        #expect(try await store.users.get(id: "1", policy: .cacheOnly)?.name == "new")
    }

    @Test func aBrokenEntryIsReplacedByWhatTheTableHas() async throws {
        let store = try await saved()
        try await store.run("UPDATE kv_cache SET blob = x'DEADBEEF'")
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "a")
        await store.settle()
        #expect(store.errors.cases == ["cacheDecodingFailed"])
        #expect(try await store.place() == CachedStore.disk)
    }

    @Test func entriesOfAnOlderModelGiveTheRowAsTheNewOneReadsIt() async throws {
        let folder = try TemporaryFolder()
        let old = try CachedStore(
            folder,
            schema: { schema in
                schema.addKVCache()
                schema.autoSchema(Older.MemberRecord.self)
            })
        try await old.storage.save(Older.Member(id: "1", name: "a"))
        await old.settle()
        let new = try CachedStore(
            folder,
            schema: { schema in
                schema.addKVCache()
                schema.autoSchema(Newer.MemberRecord.self)
            })
        let hits = try await new.hits { () async throws in
            #expect(try await new.storage.get(Newer.Member.self, id: "1") == Newer.Member(id: "1", name: "a", age: 0))
        }
        #expect(hits == CachedStore.disk)
        try await new.storage.save(Newer.Member(id: "1", name: "b", age: 2))
        #expect(try await old.storage.get(Older.Member.self, id: "1") == Older.Member(id: "1", name: "b"))
    }

    @Test func theCacheTableMayBeDroppedAtAnyTime() async throws {
        let store = try await saved()
        try await store.run("DROP TABLE kv_cache")
        try await useEverything(store)
        #expect(!store.errors.cases.isEmpty)
    }

    @Test func aRowIsDeletedWhereTheCacheTableIsGone() async throws {
        let store = try await saved()
        try await store.run("DROP TABLE kv_cache")
        try await store.storage.delete(TestUser.self, id: "1")
        #expect(try await store.fetch(Int.self, "SELECT COUNT(*) FROM testusers WHERE id = '1'") == [0])
    }

    @Test func othersMayWriteWhereTheCacheTableIsGone() async throws {
        let store = try await saved()
        try await store.runOutside("DROP TABLE kv_cache")
        try await store.runOutside("UPDATE testusers SET name = 'b'")
        try await store.run("INSERT INTO testusers SELECT '2', name, age, email, isActive, updatedAt FROM testusers")
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "b")
        #expect(try await store.storage.get(TestUser.self, id: "2")?.name == "b")
    }

    @Test func theCacheTableMayBeDroppedFromOutside() async throws {
        let store = try await saved()
        try await store.runOutside("DROP TABLE kv_cache")
        try await useEverything(store)
    }

    @Test func aCacheTableThatLostAColumnIsNoHindrance() async throws {
        let store = try await saved()
        try await store.run("DROP TABLE kv_cache; CREATE TABLE kv_cache (key TEXT)")
        try await useEverything(store)
        #expect(!store.errors.cases.isEmpty)
    }

    @Test func aCacheTableThatIsThereAgainIsUsedAgain() async throws {
        let store = try await saved()
        let sql = try await store.fetch(
            String.self, "SELECT sql FROM sqlite_master WHERE tbl_name = 'kv_cache' AND sql NOT NULL ORDER BY type DESC"
        )
        try await store.run("DROP TABLE kv_cache")
        try await useEverything(store)
        try await store.run(sql.joined(separator: ";"))
        try await store.storage.save(TestUser("1", name: "z"))
        #expect(try await store.place() == CachedStore.disk)
        try await store.runOutside("UPDATE testusers SET name = 'y'")
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "y")
    }

    @Test func aDamagedCacheTableIsNoHindrance() async throws {
        let store = try await saved()
        try await damage("kv_cache", in: store)
        try await useEverything(store)
        #expect(!store.errors.cases.isEmpty)
    }

    @Test func aDamagedIndexOfTheCacheTableIsNoHindrance() async throws {
        let store = try await saved()
        try await damage("sqlite_autoindex_kv_cache_1", in: store)
        try await useEverything(store)
        #expect(!store.errors.cases.isEmpty)
    }

    /// Overwrites the first page of a table or index, while the store is open.
    private func damage(_ name: String, in store: CachedStore) async throws {
        let page = try #require(
            try await store.fetch(Int.self, "SELECT rootpage FROM sqlite_master WHERE name = '\(name)'").first)
        let size = try #require(try await store.fetch(Int.self, "PRAGMA page_size").first)
        try await store.runOutside("PRAGMA wal_checkpoint(TRUNCATE)")
        // In a process of its own: closing the file here would drop the locks of this one.
        let copied = try ShellCommand.run([
            "dd", "if=/dev/zero", "of=\(store.store.url.path)", "bs=\(size)", "seek=\(page - 1)", "count=1",
            "conv=notrunc", "status=none",
        ])
        #expect(copied.succeeded)
        // Any commit makes all connections forget the pages that they know.
        try await store.runOutside("CREATE TABLE any (a)")
    }

    @Test func refusedSavesDoNotUseUpTheQuota() async throws {
        let store = try CachedStore(
            options: {
                $0.memoryCapacity = 0
                $0.diskQuotaBytes = 2000
            },
            schema: { schema in
                schema.addKVCache()
                schema.migration("tables") { db in
                    try db.execute(
                        sql: """
                            CREATE TABLE teams (id TEXT PRIMARY KEY);
                            INSERT INTO teams VALUES ('red');
                            CREATE TABLE testusers (id TEXT PRIMARY KEY, age INTEGER NOT NULL, email TEXT,
                                name TEXT NOT NULL REFERENCES teams DEFERRABLE INITIALLY DEFERRED,
                                isActive BOOLEAN NOT NULL, updatedAt DATETIME NOT NULL)
                            """)
                }
            })
        try await store.storage.save(TestUser("1", name: "red"))
        for id in 2..<50 {
            #expect(await thrownError { try await store.storage.save(TestUser("\(id)", name: "blue")) } != nil)
        }
        #expect(try await store.place() == CachedStore.disk)
        try await store.storage.save(TestUser("2", name: "red"))
        #expect(try await store.place() == CachedStore.disk)
        #expect(await store.store.context.cacheStatistics().disk.evictions == 0)
    }

    // MARK: - Tables that are not the cache's

    private let renamed = { @Sendable (schema: inout AppMigrations) in
        schema.addKVCache(tableName: "entity_cache")
        schema.autoSchema(TestUserRecord.self)
        schema.migration("drop") { try $0.execute(sql: "DROP TABLE kv_cache") }
    }

    @Test func theTableOfAnEarlierSchemaMayBeDropped() async throws {
        let old = try await saved()
        let new = try CachedStore(old.store.folder, schema: renamed)
        try await new.storage.save(TestUser("2"))
        #expect(try await new.storage.get(TestUser.self, id: "2") != nil)
        try await new.storage.delete(TestUser.self, id: "1")
    }

    /// Has SQLite roll back each save of the name "refused" and each deletion, and saves often enough for the store to know that
    /// nobody else observes.
    private func refuse(in store: CachedStore) async throws {
        try await store.run(
            """
            CREATE TRIGGER refuse AFTER INSERT ON testusers WHEN new.name = 'refused'
            BEGIN SELECT RAISE(ROLLBACK, 'no'); END;
            CREATE TRIGGER keep AFTER DELETE ON testusers BEGIN SELECT RAISE(ROLLBACK, 'no'); END
            """)
        for age in 0..<50 { try await store.storage.save(TestUser("1", age: age)) }
    }

    @Test func theSaveAfterOneThatRolledItselfBackIsInMemory() async throws {
        let store = try CachedStore()
        try await refuse(in: store)
        #expect(await thrownError { try await store.storage.save(TestUser("2", name: "refused")) } != nil)
        try await store.storage.save(TestUser("1", name: "new"))
        #expect(try await store.place() == CachedStore.memory)
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "new")
    }

    @Test func theSaveAfterADeletionThatRolledItselfBackIsInMemory() async throws {
        let store = try CachedStore()
        try await refuse(in: store)
        #expect(await thrownError { try await store.storage.deleteAll(TestUser.self) } != nil)
        try await store.storage.save(TestUser("1", name: "new"))
        #expect(try await store.place() == CachedStore.memory)
    }

    @Test func aTransactionAfterASaveThatRolledItselfBackHasItsOwnDate() async throws {
        let clock = ManualClock()
        let store = try CachedStore(options: { options in
            options.pool.configure = { $0.transactionClock = .custom { _ in clock.now } }
        })
        try await refuse(in: store)
        #expect(await thrownError { try await store.storage.save(TestUser("2", name: "refused")) } != nil)
        clock.advance(by: 60)
        let date = try await store.store.context.storage.pool.write { try $0.transactionDate }
        #expect(date == clock.now)
    }

    @Test func aSaveThatAnotherTableRefusesLeavesTheTierOn() async throws {
        let store = try CachedStore(
            options: { $0.memoryCapacity = 0 },
            schema: { schema in
                schema.addKVCache(tableName: "cache")
                schema.autoSchema(TestUserRecord.self)
            })
        try await store.run(
            """
            CREATE TABLE cached_names (name TEXT UNIQUE);
            CREATE TRIGGER note AFTER INSERT ON testusers BEGIN INSERT INTO cached_names VALUES (new.name); END
            """)
        try await store.storage.save(TestUser("1", name: "a"))
        await #expect(throws: StorageError.self) { try await store.storage.save(TestUser("2", name: "a")) }
        #expect(try await store.place() == CachedStore.disk)
        #expect(store.errors.cases == [])
    }

    @Test func aLockThatPassesLeavesTheDiskCacheOn() async throws {
        let store = try LockedStore()
        try await store.saveMeetingALock {}
        #expect(store.errors.cases == [])
        #expect(try await store.cached.place() == CachedStore.disk)
    }

    @Test func aDamagedEntryThatWasSavedAnewMeanwhileIsNotRemoved() async throws {
        let store = try LockedStore()
        try await store.cached.storage.save(TestUser("1"))
        try await store.cached.run("UPDATE kv_cache SET blob = 'x'")
        try await store.saveMeetingALock { _ = try await store.cached.users.get(id: "1", policy: .cacheOnly) }
        await store.cached.settle()
        #expect(store.errors.cases == ["cacheDecodingFailed"])
        #expect(try await store.cached.place() == CachedStore.disk)
    }
}

/// A store without a tier in memory, in which a save meets the lock of another connection.
private struct LockedStore {
    let cached: CachedStore
    private let begun: AsyncStream<Void>
    private let isLocked: IsLocked

    private final class IsLocked: Sendable {
        let value = Atomic<Bool>(false)
    }

    var errors: ErrorLog { cached.errors }

    init() throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let isLocked = IsLocked()
        (self.begun, self.isLocked) = (begun, isLocked)
        cached = try CachedStore(options: {
            $0.memoryCapacity = 0
            $0.pool.configure = {
                // The test may be kept from letting go in time.
                $0.busyMode = .timeout(3600)
                $0.prepareDatabase { db in
                    db.trace { event in
                        if isLocked.value.load(ordering: .acquiring), "\(event)".hasPrefix("BEGIN") { begin.yield() }
                    }
                }
            }
        })
    }

    /// Saves an entity, and calls a closure while the save waits for the lock.
    func saveMeetingALock(_ body: () async throws -> Void) async throws {
        let save = try await withWriteLock(on: cached.store.url) {
            isLocked.value.store(true, ordering: .releasing)
            let save = Task { [storage = cached.storage] in try await storage.save(TestUser("1")) }
            // It meets the lock where its transaction begins: first on its own thread, where it does not wait, and then on
            // the writer's.
            let probe = StreamProbe(begun)
            for _ in 0..<2 { try await probe.next() }
            try await body()
            isLocked.value.store(false, ordering: .releasing)
            return save
        }
        try await save.value
    }
}

private enum Older {
    @StorageEntity(table: "members")
    struct Member: Equatable {
        var id: String
        var name: String
    }
}

private enum Newer {
    @StorageEntity(table: "members")
    struct Member: Equatable {
        var id: String
        var name: String
        var age: Int
    }
}
