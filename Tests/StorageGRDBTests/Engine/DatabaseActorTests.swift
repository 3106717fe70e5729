import GRDB
import StorageKit
import StorageTestSupport
import Testing

@Suite struct DatabaseActorTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
    }

    @Test func errorsOfTheClosurePassUnchanged() async throws {
        struct Mine: Error, Equatable {}
        await #expect(throws: Mine()) { try await store.db.read { _ in throw Mine() } }
        await #expect(throws: Mine()) { try await store.db.write { _ in throw Mine() } }
        await #expect(throws: DatabaseError.self) { try await store.db.write { try $0.execute(sql: "nonsense") } }
    }

    @Test func aWriteThatThrowsLeavesNoTrace() async throws {
        struct Mine: Error {}
        try? await store.db.write { db in
            try db.execute(sql: "INSERT INTO testusers VALUES ('1', '', 0, NULL, 1, '')")
            throw Mine()
        }
        #expect(try await store.storage.count(TestUser.self) == 0)
    }

    @Test func whatAWriteRunsAfterSQLiteRolledItBackIsNotKept() async throws {
        let insertion = "INTO testusers VALUES ('1', '', 0, NULL, 1, '')"
        await #expect(throws: DatabaseError.self) {
            try await store.db.write { db in
                try db.execute(sql: "INSERT \(insertion)")
                try? db.execute(sql: "INSERT OR ROLLBACK \(insertion)")
                try db.execute(sql: "INSERT \(insertion)")
            }
        }
        #expect(try await store.storage.count(TestUser.self) == 0)
    }

    @Test func callsOfAClosedStoreThrow() async throws {
        try await store.storage.save(TestUser("1"))
        #expect(try await store.storage.get(TestUser.self, id: "1") != nil)
        #expect(try await store.storage.repository(TestUser.self).get(id: "1", policy: .databaseOnly) != nil)
        try store.db.close()
        await #expect(throws: StorageError.self) {
            try await store.storage.repository(TestUser.self).get(id: "1", policy: .databaseOnly)
        }
        await #expect(throws: StorageError.self) { try await store.storage.save(TestUser("2")) }
    }

    @Test func aStoreMayBeClosedAgain() async throws {
        try await store.storage.save(TestUser("1"))
        try store.db.close()
        try store.db.close()
        await #expect(throws: StorageError.self) { try await store.storage.save(TestUser("2")) }
    }

    @Test func aSaveSeesTheRowsOfTheWritesBeforeIt() async throws {
        for id in 1...100 {
            try await store.storage.save(TestUser("\(id)"))
            #expect(try await store.storage.get(TestUser.self, id: "\(id)") != nil)
        }
    }

    @Test func manyTasksSaveAndReadWithoutLosingAnything() async throws {
        let storage = store.storage
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<100 {
                        let id = "\(task)-\(number)"
                        try await storage.save(TestUser(id, age: number))
                        #expect(try await storage.get(TestUser.self, id: id)?.age == number)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await storage.count(TestUser.self) == 800)
    }

    @Test func savesWaitForALongTransactionWithoutBlockingReads() async throws {
        let storage = store.storage
        let db = store.db
        try await storage.save(TestUser("1", name: "before"))
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let long = Task {
            try await db.write { db in
                try db.execute(sql: "UPDATE testusers SET name = 'long' WHERE id = '1'")
                start.yield()
                release.wait()
            }
        }
        for await _ in started { break }
        let save = Task { try await storage.save(TestUser("1", name: "after")) }
        #expect(try await storage.get(TestUser.self, id: "1")?.name == "before")
        release.signal()
        try await long.value
        try await save.value
        #expect(try await storage.get(TestUser.self, id: "1")?.name == "after")
    }

    @Test func aSaveWaitsForALockOfAnotherConnection() async throws {
        // Longer than the few threads that all tests share may keep the one waiting that lets the lock go.
        let patient = PoolOptions(configure: { $0.busyMode = .timeout(600) })
        let store = try TemporaryStore(options: { $0.pool = patient }) { $0.autoSchema(TestUserRecord.self) }
        let other = try GRDB.DatabaseQueue(path: store.url.path)
        let storage = store.storage
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let holder = Task {
            try await other.writeWithoutTransaction { db in
                try db.execute(sql: "BEGIN IMMEDIATE")
                start.yield()
                release.wait()
                try db.execute(sql: "INSERT INTO testusers VALUES ('other', '', 0, NULL, 1, '2026-01-01'); COMMIT")
            }
        }
        for await _ in started { break }
        let save = Task { try await storage.save(TestUser("mine")) }
        await Task.yield()
        release.signal()
        try await holder.value
        try await save.value
        #expect(try await storage.count(TestUser.self) == 2)
    }

    @Test func aQueueInMemoryWorksLikeAFile() async throws {
        let queue = try DatabaseQueue()
        let context = StorageContext(pool: queue, dbActor: DatabaseActor(pool: queue))
        var schema = AppMigrations()
        schema.addKVCache()
        schema.autoSchema(TestUserRecord.self)
        try schema.run(on: queue)
        let users = GenericRepository<TestUser, TestUserRecord>(db: context.dbActor)
        try await users.put(TestUser("1", name: "Ada"))
        #expect(try await users.get(id: "1")?.name == "Ada")
        let probe = StreamProbe(users.observeAll())
        #expect(try await probe.next().count == 1)
        try await context.pool.write { db in try db.execute(sql: "DELETE FROM testusers") }
        #expect(try await probe.next().isEmpty)
    }

    /// Nobody tells of what others write there.
    @Test func inMemoryThatOthersMayOpenNothingIsCached() throws {
        let shared = DatabaseActor(pool: try DatabaseQueue(named: UUID().uuidString))
        #expect(!shared.changes.canServeCaches)
        let own = DatabaseActor(pool: try DatabaseQueue())
        #expect(own.changes.canServeCaches)
    }

    @Test func pragmasRunBeforeOrAfterWhatIsPrepared() async throws {
        for (placement, expected) in [(PoolOptions.PragmasPlacement.prepend, 7000), (.append, 3000)] {
            let options = PoolOptions(
                preset: .init(pragmas: ["PRAGMA busy_timeout = 3000"]), pragmasPlacement: placement,
                configure: { $0.prepareDatabase { try $0.execute(sql: "PRAGMA busy_timeout = 7000") } })
            let folder = try TemporaryFolder()
            let context = try StorageKit.start(at: folder.file(), options: .init(pool: options))
            let timeout = try await context.storage.pool.read { db in try Int.fetchOne(db, sql: "PRAGMA busy_timeout") }
            #expect(timeout == expected)
        }
    }
}
