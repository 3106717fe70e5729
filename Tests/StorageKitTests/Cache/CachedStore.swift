import GRDB
import StorageKit
import StorageTestSupport

/// A store whose caches a test looks into.
struct CachedStore {
    let store: TemporaryStore
    let errors = ErrorLog()

    var storage: Storage { store.storage }
    var clock: ManualClock { store.clock }
    var users: GenericRepository<TestUser, TestUserRecord> { storage.repository(TestUser.self) }

    init(
        _ folder: TemporaryFolder? = nil, clock: ManualClock = ManualClock(),
        options: (inout StorageKit.StartOptions) -> Void = { _ in },
        schema: (inout AppMigrations) -> Void = { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
    ) throws {
        let handler = errors.handler
        store = try TemporaryStore(
            folder: folder, clock: clock,
            options: {
                $0.onCacheError = handler
                options(&$0)
            }, schema: schema)
    }

    /// Another context on the same file: its memory is empty.
    func reopened(_ options: (inout StorageKit.StartOptions) -> Void = { _ in }) async throws -> CachedStore {
        await settle()
        return try CachedStore(store.folder, clock: clock, options: options, schema: { $0.addKVCache() })
    }

    func settle() async {
        await store.context.stores.settle()
    }

    /// Runs SQL through the pool.
    func run(_ sql: String) async throws {
        try await store.context.storage.pool.write { try $0.execute(sql: sql) }
    }

    func fetch<T: GRDB.DatabaseValueConvertible & Sendable>(_ type: T.Type, _ sql: String) async throws -> [T] {
        try await store.db.read { try T.fetchAll($0, sql: sql) }
    }

    /// Runs SQL on a connection that the library knows nothing of.
    func runOutside(_ sql: String) async throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try GRDB.DatabaseQueue(path: store.url.path, configuration: configuration)
        try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Where a read found what it found: how often in memory and on disk.
    func hits(_ read: () async throws -> Void) async throws -> [Int] {
        let before = await store.context.cacheStatistics()
        try await read()
        let after = await store.context.cacheStatistics()
        return [after.memory.hits - before.memory.hits, after.disk.hits - before.disk.hits]
    }

    static let memory = [1, 0]
    static let disk = [0, 1]
    static let table = [0, 0]

    /// Where `get` finds the user 1.
    func place() async throws -> [Int] {
        try await hits { _ = try await storage.get(TestUser.self, id: "1") }
    }
}
