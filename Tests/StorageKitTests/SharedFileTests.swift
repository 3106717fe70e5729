import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Stores whose file other processes open too. One after the other: a suspension reaches all of them in the process.
@Suite(.serialized) struct SharedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(
        sharesFile: Bool = true, log: StatementLog? = nil, schema: (inout AppMigrations) -> Void = { _ in }
    ) throws -> TemporaryStore {
        try TemporaryStore(folder: folder, log: log, options: { $0.sharesFile = sharesFile }) {
            $0.addKVCache()
            $0.autoSchema(TestUserRecord.self, SharedNoteRecord.self)
            schema(&$0)
        }
    }

    private var files: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)) }
    }

    /// What runs while stores that share their files are suspended.
    private func whileSuspended(_ body: () async throws -> Void) async throws {
        StorageKit.suspendSharedStores()
        defer { StorageKit.resumeSharedStores() }
        try await body()
    }

    /// Fails if anybody has the write lock of the file.
    private func expectNoWriteLock() throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .immediateError
        let stranger = try GRDB.DatabaseQueue(path: folder.file().path, configuration: configuration)
        try stranger.writeWithoutTransaction { db in
            try db.beginTransaction(.immediate)
            try db.rollback()
        }
    }

    // MARK: - The log

    @Test func aStoreHearsOfOthersThoughTheFileHadNoLogWhenItWasFirstOpened() async throws {
        do { try await open().storage.save(TestUser("1", name: "a")) }
        let stranger = try GRDB.DatabaseQueue(path: folder.file().path)
        try await stranger.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        let readonly = StorageKit.StartOptions(pool: PoolOptions(preset: .none, configure: { $0.readonly = true }))
        let first = try StorageKit.start(at: folder.file(), options: readonly) {
            $0.addKVCache()
            $0.autoSchema(TestUserRecord.self, SharedNoteRecord.self)
        }
        #expect(try await first.facade.get(TestUser.self, id: "1")?.name == "a")
        let second = try open()
        let probes = [first, second.context].map { StreamProbe($0.facade.observe(TestUser.self, id: "1")) }
        for probe in probes { #expect(try await probe.next()?.name == "a") }
        try await stranger.write { try $0.execute(sql: "UPDATE testusers SET name = 'b'") }
        for probe in probes { #expect(try await probe.next()?.name == "b") }
        #expect(try await second.storage.get(TestUser.self, id: "1")?.name == "b")
    }

    @Test func theLogIsKeptThoughACopyIsPutBack() async throws {
        let copy = folder.file("copy.sqlite")
        do {
            let store = try open()
            try await store.storage.save(TestUser("1"))
            try await store.context.backup(to: copy)
            try await store.context.close()
        }
        try #require(try files.contains("store.sqlite-wal"))
        try await StorageKit.restore(copy, to: folder.file())
        #expect(try files.contains("store.sqlite-wal"))
    }

    /// Who may only read cannot open the file without it.
    @Test func theLogStaysWhereACopyIsPutBackThroughALink() async throws {
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file())
        let copy = folder.file("copy.sqlite")
        do {
            let store = try open()
            try await store.context.backup(to: copy)
            try await store.context.close()
        }
        try #require(try files.contains("store.sqlite-wal"))
        _ = try await StorageKit.restore(copy, to: link)
        #expect(try files.contains("store.sqlite-wal"))
    }

    // MARK: - The app group

    @Test func aGroupWithoutAContainerIsNamed() throws {
        let error = #expect(throws: StorageError.self) { try StorageKit.start(appGroup: "group.com.example.none") }
        guard case .invalidConfiguration(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(message.contains("'group.com.example.none'"))
    }

    // MARK: - The log

    @Test func theLogOfASharedFileStaysWhenItIsClosed() async throws {
        var store: TemporaryStore? = try open()
        try await store?.storage.save(TestUser("1"))
        store = nil
        #expect(try files == ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"])
    }

    @Test func theLogOfAnotherFileGoesWhenItIsClosed() async throws {
        var store: TemporaryStore? = try open(sharesFile: false)
        try await store?.storage.save(TestUser("1"))
        store = nil
        #expect(try files == ["store.sqlite"])
    }

    @Test func aPlanForASharedFileIsMadeOnACopy() async throws {
        let store = try open()
        var migrations = AppMigrations()
        migrations.migration("2026-11-24_index") { try $0.execute(sql: "CREATE INDEX names ON testusers (name)") }
        let pool = try #require(store.context.storage.pool as? GRDB.DatabasePool)
        #expect(try migrations.plan(on: pool).operations == [.runMigration(id: "2026-11-24_index")])
    }

    // MARK: - Suspension

    @Test(arguments: [true, false]) func onlyASharedFileObservesSuspensions(sharesFile: Bool) throws {
        let pool = try #require(try open(sharesFile: sharesFile).context.storage.pool as? GRDB.DatabasePool)
        #expect(pool.configuration.observesSuspensionNotifications == sharesFile)
    }

    @Test func aSuspendedStoreWritesNothing() async throws {
        let store = try open()
        try await store.storage.save(TestUser("1", age: 1))
        try await whileSuspended {
            let error = await #expect(throws: StorageError.self) { try await store.storage.save(TestUser("1", age: 2)) }
            #expect(error?.cause == .SQLITE_ABORT)
        }
        #expect(try await store.storage.get(TestUser.self, id: "1")?.age == 1)
    }

    @Test func eachRoadToAWriteIsClosed() async throws {
        let store = try open()
        let users = (0..<3).map { TestUser("\($0)") }
        try await store.storage.save(users)
        try await whileSuspended {
            await #expect(throws: StorageError.self) { try await store.storage.save(users) }
            await #expect(throws: StorageError.self) { try await store.storage.delete(TestUser.self, id: "0") }
            await #expect(throws: StorageError.self) { try await store.storage.query(TestUser.self).deleteAll() }
            await #expect(throws: StorageError.self) { try await store.context.vacuum() }
            await #expect(throws: DatabaseError.self) {
                try await store.db.write { try $0.execute(sql: "DELETE FROM testusers") }
            }
        }
        #expect(try await store.storage.count(TestUser.self) == 3)
    }

    @Test func aSuspendedStoreReads() async throws {
        let store = try open()
        try await store.storage.save([TestUser("1"), TestUser("2")])
        try await whileSuspended {
            let one = try await store.storage.get(TestUser.self, id: "1")
            let two = try await store.storage.query(TestUser.self).where { $0.id == "2" }.count()
            let all = try await store.db.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM testusers") }
            #expect(one != nil && two == 1 && all == 2)
        }
    }

    @Test func aResumedStoreWrites() async throws {
        let store = try open()
        try await whileSuspended {}
        try await store.storage.save(TestUser("1"))
        #expect(try await store.storage.count(TestUser.self) == 1)
    }

    @Test func aStoreOfItsOwnIsNotSuspended() async throws {
        let store = try open(sharesFile: false)
        try await whileSuspended { try await store.storage.save(TestUser("1")) }
        #expect(try await store.storage.count(TestUser.self) == 1)
    }

    @Test func aTransactionUnderWayIsUndoneAndLetsGoOfTheLock() async throws {
        let store = try open()
        try await store.storage.save([TestUser("1"), TestUser("2")])
        try await whileSuspended {
            StorageKit.resumeSharedStores()
            let error = await #expect(throws: DatabaseError.self) {
                try await store.db.write { db in
                    try db.execute(sql: "DELETE FROM testusers WHERE id = '1'")
                    StorageKit.suspendSharedStores()
                    try db.execute(sql: "DELETE FROM testusers WHERE id = '2'")
                }
            }
            #expect(error?.resultCode == .SQLITE_ABORT)
            try expectNoWriteLock()
        }
        #expect(try await store.storage.count(TestUser.self) == 2)
    }

    @Test func aBatchUnderWayIsUndoneAndLetsGoOfTheLock() async throws {
        let store = try open()
        let notes = (0..<10).map { SharedNote(id: "\($0)", text: SuspendingText(suspends: $0 == 5)) }
        try await whileSuspended {
            StorageKit.resumeSharedStores()
            let error = await #expect(throws: StorageError.self) { try await store.storage.save(notes) }
            #expect(error?.cause == .SQLITE_INTERRUPT)
            try expectNoWriteLock()
        }
        #expect(try await store.storage.count(SharedNote.self) == 0)
    }

    @Test func aSuspendedStoreLeavesItsIndexesAlone() async throws {
        let log = StatementLog()
        let store = try open(log: log) { $0.addFullTextSearch(table: "testusers", columns: ["name"]) }
        try await store.storage.save(TestUser("1", name: "Ada"))
        try await whileSuspended {
            let statements = await log.during {
                _ = try? await store.storage.save(TestUser("2", name: "Ben"))
                _ = try? await store.storage.save(TestUser("3", name: "Cleo"))
            }
            #expect(statements.writes == 0, "\(statements)")
        }
        try await store.storage.save(TestUser("2", name: "Ben"))
        #expect(try await store.storage.search(TestUser.self, query: "Ben").count == 1)
    }

    @Test func aStreamGoesOnAfterASuspension() async throws {
        let store = try open()
        let probe = StreamProbe(store.storage.query(TestUser.self).observeCount())
        #expect(try await probe.next() == 0)
        try await whileSuspended { _ = try? await store.storage.save(TestUser("1")) }
        try await store.storage.save(TestUser("2"))
        #expect(try await probe.next() == 1)
    }
}

extension StorageError {
    /// What SQLite said, if a write failed.
    fileprivate var cause: ResultCode? {
        guard case .transactionFailed(let error) = self else { return nil }
        return (error as? DatabaseError)?.resultCode
    }
}

@StorageEntity
struct SharedNote {
    var id: String
    @StorageJSON
    var text: SuspendingText
}

/// A value that suspends the stores while it is being saved.
struct SuspendingText: Codable, Equatable, Sendable {
    var suspends: Bool

    func encode(to encoder: any Encoder) throws {
        if suspends { StorageKit.suspendSharedStores() }
        var container = encoder.singleValueContainer()
        try container.encode(suspends)
    }

    init(suspends: Bool) {
        self.suspends = suspends
    }

    init(from decoder: any Decoder) throws {
        suspends = try decoder.singleValueContainer().decode(Bool.self)
    }
}
