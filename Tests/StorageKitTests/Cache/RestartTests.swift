import StorageKit
import StorageTestSupport
import Testing

/// What is left of a store when it is closed and started again, as at each launch of an app.
@Suite struct RestartTests {
    private let schema = { @Sendable (schema: inout AppMigrations) in
        schema.addKVCache()
        schema.autoSchema(TestUserRecord.self)
    }

    private func started(_ folder: TemporaryFolder? = nil) throws -> TemporaryStore {
        try TemporaryStore(folder: folder, schema: schema)
    }

    /// Saves, closes, and lets go of all that has the file open.
    private func savedAndClosed() async throws -> TemporaryFolder {
        let store = try started()
        try await store.storage.save(TestUser("1", name: "a"))
        try await store.context.close()
        return store.folder
    }

    @Test func theDiskCacheServesAfterARestart() async throws {
        let folder = try await savedAndClosed()
        #expect(!FileManager.default.fileExists(atPath: folder.file("store.sqlite-wal").path))
        let store = try started(folder)
        #expect(try await store.storage.repository(TestUser.self).get(id: "1", policy: .cacheOnly)?.name == "a")
        #expect(await store.context.cacheStatistics().disk.hits == 1)
    }

    @Test func aClosedStoreHasAllInOneFile() async throws {
        let store = try started()
        try await store.storage.save(TestUser("1", name: "a"))
        try await store.context.close()
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(at: store.url, to: copy.file())
        #expect(try await started(copy).storage.get(TestUser.self, id: "1")?.name == "a")
    }

    @Test func aClosedStoreGivesNothingFromMemory() async throws {
        let store = try started()
        try await store.storage.save(TestUser("1"))
        #expect(try await store.storage.get(TestUser.self, id: "1") != nil)
        try await store.context.close()
        await #expect(throws: StorageError.self) { try await store.storage.get(TestUser.self, id: "1") }
    }

    @Test func aClosedStoreOpensNoConnection() async throws {
        let store = try started()
        try await store.storage.save(TestUser("1"))
        try await store.context.close()
        let users = store.storage.repository(TestUser.self)
        await #expect(throws: StorageError.self) { try await users.get(id: "2", policy: .databaseOnly) }
        await #expect(throws: StorageError.self) {
            for try await _ in store.storage.query(TestUser.self).stream() {}
        }
    }

    @Test(arguments: [("FULL", 2), ("NORMAL", 1), ("OFF", 0)])
    func synchronousIsAsAskedFor(value: String, number: Int) async throws {
        let pool = PoolOptions(preset: .init(pragmas: ["PRAGMA synchronous = \(value)"]))
        let store = try TemporaryStore(options: { $0.pool = pool }, schema: schema)
        let found = try await store.context.storage.pool.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA synchronous")
        }
        #expect(found == number)
    }

    @Test func synchronousIsNormalUnlessAskedFor() async throws {
        let found = try await started().context.storage.pool.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA synchronous")
        }
        #expect(found == 1)
    }

    @Test func aSaveLeavesTheTimeoutThatTheAppSet() async throws {
        let pool = PoolOptions(preset: .init(pragmas: ["PRAGMA busy_timeout = 60000"]))
        let store = try TemporaryStore(options: { $0.pool = pool }, schema: schema)
        try await store.storage.save(TestUser("1"))
        let found = try await store.context.storage.pool.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA busy_timeout")
        }
        #expect(found == 60_000)
    }
}
