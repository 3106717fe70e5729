import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@Suite struct StartTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func twoEntitiesOfOneNameNeedTwoTables() async throws {
        let folder = try TemporaryFolder()
        let error = await storageError {
            _ = try StorageKit.start(at: folder.file()) {
                $0.autoSchema(StallA.WareRecord.self)
                $0.autoSchema(StallB.WareRecord.self)
            }
        }
        guard case .invalidConfiguration(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        for part in ["StallA.Ware", "StallB.Ware", "'wares'", "@StorageEntity(table:)"] {
            #expect(message.contains(part))
        }
        // One that names the table shares it.
        let context = try StorageKit.start(at: folder.file()) {
            $0.autoSchema(StallA.WareRecord.self, StallB.NamedRecord.self)
        }
        try await context.facade.save(StallA.Ware(id: 1, name: "a"))
        #expect(try await context.facade.get(StallB.Named.self, id: "1")?.name == "a")
    }

    @Test func namesOfTwoEntitiesAreOneInAnyScript() async throws {
        let error = await storageError {
            _ = try StorageKit.start(at: folder.file()) {
                $0.autoSchema(StallA.ÄrzteRecord.self)
                $0.autoSchema(StallB.ÄrzteRecord.self)
            }
        }
        guard case .invalidConfiguration = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func bytesThatOnlyReadAsAUUIDDoNotBecomeText() async throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.write {
            try $0.execute(
                sql: """
                    CREATE TABLE stalltokens (id INTEGER PRIMARY KEY, key UUID NOT NULL, updatedAt DATETIME NOT NULL);
                    INSERT INTO stalltokens VALUES (1, x'00112233445566778899aabbccddeeff', '2026-01-01 00:00:00.000');
                    """)
        }
        let error = await storageError {
            _ = try StorageKit.start(at: folder.file()) { $0.autoSchema(StallToken.Record.self) }
        }
        guard case .migrationFailed(_, let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        let conflict = underlying as? SchemaConflictError
        #expect(conflict?.table == "stalltokens" && conflict?.columns == ["key"])
        #expect(conflict?.reason == .values(type: "TEXT", rows: 1))
    }

    @Test func theDefaultPlaceIsInApplicationSupport() throws {
        let url = try StorageKit.defaultDatabaseURL()
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        #expect(url == support.appendingPathComponent("app.sqlite"))
        #expect(try StorageKit.defaultDatabaseURL(fileName: "b.sqlite").lastPathComponent == "b.sqlite")
    }

    @Test func anEmptyFileNameIsRefused() async {
        #expect(throws: StorageError.self) { try StorageKit.start(fileName: "") }
    }

    @Test func withoutASchemaOnlyTheCacheTableIsMade() async throws {
        let context = try StorageKit.start(at: folder.file())
        let tables = try await context.storage.dbActor.read { db in
            try Row.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
                .map { $0["name"] as String }
        }
        #expect(tables == ["grdb_migrations", "kv_cache"])
    }

    @Test func defaultsAreFiveMinutesAndThirtyMegabytes() throws {
        let context = try StorageKit.start(at: folder.file())
        #expect(context.config.defaultTTL == 300)
        #expect(context.config.diskQuotaBytes == 30 * 1024 * 1024)
        #expect(context.config.namespace == "storage")
        #expect(context.keys.namespace == "storage")
    }

    @Test func cacheSettingsAreTakenInEveryDocumentedSpelling() throws {
        let typed = try StorageKit.start(
            at: folder.file("a"), cacheTTL: .minutes(10), diskQuota: .megabytes(50)
        ) { $0.addKVCache() }
        #expect(typed.config.defaultTTL == 600)
        #expect(typed.config.diskQuotaBytes == 50 * 1024 * 1024)
        let literal = try StorageKit.start(at: folder.file("b"), cacheTTL: 600, diskQuota: 50_000_000) { schema in
            schema.addKVCache()
        }
        #expect(literal.config.defaultTTL == 600)
        #expect(literal.config.diskQuotaBytes == 50_000_000)
        let explicit = try StorageKit.start(
            at: folder.file("c"), cacheTTL: .init(seconds: 0), diskQuota: .init(bytes: 7)
        ) { _ in }
        #expect(explicit.config.defaultTTL == 0)
        #expect(explicit.config.diskQuotaBytes == 7)
        #expect(CacheTTL.hours(1).seconds == 3600)
        #expect(DiskQuota.gigabytes(1).bytes == 1_073_741_824)
    }

    @Test func aQuotaBeyondAllBytesIsAsManyAsThereCanBe() {
        for quota in [DiskQuota.kilobytes, DiskQuota.megabytes, DiskQuota.gigabytes] {
            #expect(quota(.max).bytes == .max)
            #expect(quota(.min).bytes == .min)
            #expect(quota(-1).bytes < 0)
        }
    }

    @Test func optionsOfTheOlderReadmeReachPoolAndConfig() async throws {
        let context = try StorageKit.start(
            at: folder.file(),
            options: .init(
                namespace: "myapp", defaultTTL: 7, diskQuotaBytes: 9,
                pool: .init(pragmasPlacement: .prepend, configure: { $0.maximumReaderCount = 2 }))
        ) { $0.addKVCache() }
        #expect(context.config.namespace == "myapp")
        #expect(context.config.defaultTTL == 7)
        #expect(context.config.diskQuotaBytes == 9)
        let pool = try #require(context.storage.pool as? DatabasePool)
        #expect(pool.configuration.maximumReaderCount == 2)
    }

    @Test func foreignKeysAndTheWriteAheadLogAreOn() async throws {
        let context = try StorageKit.start(at: folder.file())
        let (keys, journal) = try await context.storage.dbActor.read { db in
            (
                try Row.fetchOne(db, sql: "PRAGMA foreign_keys")?[0] as Int?,
                try Row.fetchOne(db, sql: "PRAGMA journal_mode")?[0] as String?
            )
        }
        #expect(keys == 1)
        #expect(journal == "wal")
    }

    @Test(arguments: ["PRAGMA journal_mode = WAL", "PRAGMA JOURNAL_MODE = DELETE"])
    func aStoreThatOnlyReadsLeavesTheJournalAsItIs(pragma: String) async throws {
        let folder = try TemporaryFolder()
        let context = try StorageKit.start(at: folder.file()) { $0.autoSchema(TestUserRecord.self) }
        let readonly = StorageKit.StartOptions(
            pool: PoolOptions(preset: .init(pragmas: [pragma]), configure: { $0.readonly = true }))
        let reader = try StorageKit.start(at: folder.file(), options: readonly) { $0.autoSchema(TestUserRecord.self) }
        #expect(try await reader.facade.count(TestUser.self) == 0)
        try await context.close()
    }

    @Test(arguments: [Double.infinity, .nan, -1, 3e6])
    func aTimeoutThatSQLiteCannotCountIsRefused(seconds: Double) throws {
        let options = StorageKit.StartOptions(pool: PoolOptions(configure: { $0.busyMode = .timeout(seconds) }))
        let folder = try TemporaryFolder()
        #expect(throws: StorageError.self) { try StorageKit.start(at: folder.file(), options: options) { _ in } }
        #expect(throws: StorageError.self) { try StorageKit.startInMemory(options: options) { _ in } }
    }

    @Test func aPoolWithoutReadersIsRefused() throws {
        let options = StorageKit.StartOptions(pool: PoolOptions(configure: { $0.maximumReaderCount = 0 }))
        let folder = try TemporaryFolder()
        let error = #expect(throws: StorageError.self) {
            try StorageKit.start(at: folder.file(), options: options) { _ in }
        }
        #expect(error?.localizedDescription.contains("1 reader or more") == true)
    }

    @Test func theTableOfMigrationsIsNoCache() throws {
        let folder = try TemporaryFolder()
        #expect(throws: StorageError.self) {
            try StorageKit.start(at: folder.file()) { $0.addKVCache(tableName: "GRDB_migrations") }
        }
    }

    @Test func missingFoldersAreCreated() throws {
        let url = folder.url.appendingPathComponent("a/b/c/store.sqlite")
        _ = try StorageKit.start(at: url)
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    @Test func aURLMadeOfAPathIsThatPath() throws {
        let path = folder.url.appendingPathComponent("a/plain.sqlite").path
        _ = try StorageKit.start(at: #require(URL(string: path)))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func aPlaceThatIsNoFileIsRefused() async {
        let url = URL(string: "https://example.com/proc/store.sqlite")!
        let error = await storageError { _ = try StorageKit.start(at: url) }
        guard case .invalidConfiguration(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(message.contains(url.absoluteString))
    }

    @Test func aPoolThatCannotMakeFilesIsToldApart() {
        let url = URL(fileURLWithPath: "/proc/nowhere/store.sqlite")
        let error = #expect(throws: StorageError.self) { try StorageKit.start(at: url) }
        guard case .databaseNotFound("/proc/nowhere/store.sqlite") = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    /// Whoever runs the tests: the first lies where nobody can write, in many containers the superuser neither.
    static let unwritable = ["/proc/sys/kernel/ostype", "/etc/passwd"].first { path in
        FileManager.default.isReadableFile(atPath: path) && !FileManager.default.isWritableFile(atPath: path)
    }

    /// SQLite cannot open the index of a write-ahead log on a disk that is mounted read-only.
    @Test(.enabled(if: StartTests.unwritable != nil)) func aFileThatOnlyWritingWouldOpenIsReadOnly() throws {
        let path = try #require(StartTests.unwritable)
        let error = StorageError.from(DatabaseError(resultCode: .SQLITE_CANTOPEN), during: .open(path: path))
        guard case .invalidConfiguration(let message)? = error as? StorageError else {
            Issue.record("unexpected: \(error)")
            return
        }
        #expect(message.contains(path) && message.contains("read-only"))
    }

    @Test func aConnectionThatCannotBeOpenedSaysWhatMayBeTheCause() {
        let cause = DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "unable to open database file")
        let error = StorageError.from(cause, during: .read)
        for part in ["was moved", "too many files open"] { #expect(error.localizedDescription.contains(part)) }
    }

    @Test func aFolderInThePlaceOfTheFileIsReported() throws {
        let error = #expect(throws: StorageError.self) { try StorageKit.start(at: folder.url) }
        #expect(error?.localizedDescription.contains(folder.url.path) == true)
    }

    @Test func aFileThatIsNoDatabaseIsLeftAsItIs() throws {
        let bytes = Data(repeating: 0x41, count: 8192)
        try bytes.write(to: folder.file())
        let error = #expect(throws: StorageError.self) { try StorageKit.start(at: folder.file()) }
        guard case .invalidConfiguration(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(message.contains(folder.file().path))
        #expect(message.contains("not an SQLite database"))
        #expect(try Data(contentsOf: folder.file()) == bytes)
    }

    @Test func aReadOnlyDatabaseIsReportedBeforeAnythingIsWritten() throws {
        _ = try StorageKit.start(at: folder.file())
        let readonly = StorageKit.StartOptions(pool: PoolOptions(preset: .none, configure: { $0.readonly = true }))
        let error = #expect(throws: StorageError.self) {
            try StorageKit.start(at: folder.file(), options: readonly) { $0.autoSchema(TestUserRecord.self) }
        }
        #expect(error?.localizedDescription.contains("read") == true)
    }

    @Test func aFileThatStaysLockedIsToldOfOnceTheTimeoutIsOver() async throws {
        struct Endless: Error {}
        let attempts = Mutex(0)
        let pool = PoolOptions(configure: { configuration in
            configuration.busyMode = .timeout(0)
            configuration.prepareDatabase { _ in
                let count = attempts.withLock { number in
                    number += 1
                    return number
                }
                if count > 10 { throw Endless() }
            }
        })
        let error = try await withWriteLock(on: folder.file()) {
            await storageError {
                _ = try StorageKit.start(at: folder.file(), options: StorageKit.StartOptions(pool: pool))
            }
        }
        #expect(error?.localizedDescription.contains("locked by another process") == true)
    }

    @Test func whoOnlyReadsMakesNoFile() throws {
        let folder = try TemporaryFolder()
        let readonly = StorageKit.StartOptions(
            pool: PoolOptions(preset: .none, configure: { $0.readonly = true }), createsPrivateFile: true)
        #expect(throws: StorageError.self) {
            try StorageKit.start(at: folder.file(), options: readonly) { $0.autoSchema(TestUserRecord.self) }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    }

    @Test func twoStoresOnOneFileSeeEachOthersWrites() async throws {
        let first = try TemporaryStore(folder: folder) { $0.autoSchema(TestUserRecord.self) }
        let second = try TemporaryStore(folder: folder) { $0.autoSchema(TestUserRecord.self) }
        try await first.storage.save(TestUser("1", name: "Ada"))
        #expect(try await second.storage.get(TestUser.self, id: "1")?.name == "Ada")
        try await second.storage.save(TestUser("1", name: "Grace"))
        #expect(try await first.storage.get(TestUser.self, id: "1")?.name == "Grace")
    }
}

@StorageEntity private struct StallToken {
    var id: Int
    var key: UUID
}

private enum StallA {
    @StorageEntity struct Ärzte {
        var id: Int
    }

    @StorageEntity struct Ware {
        var id: Int
        var name: String
    }
}

private enum StallB {
    @StorageEntity struct Ärzte {
        var id: Int
    }

    @StorageEntity struct Ware {
        var id: Int
        var count: Int
    }

    @StorageEntity(table: "wares") struct Named {
        var id: Int
        var name: String
    }
}
