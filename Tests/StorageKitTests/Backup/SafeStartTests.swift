import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Starts that copy the file before they change it.
@Suite struct SafeStartTests {
    private let store: GuardedStore

    init() async throws {
        store = try GuardedStore()
    }

    @Test func aStartThatChangesTablesLeavesACopyOfWhatWasThere() async throws {
        try await store.make()
        let before = try DatabaseDump(of: store.file)
        try store.start(2)
        let copies = try store.copies()
        #expect(copies.count == 1)
        let copy = try #require(copies.first)
        #expect(try DatabaseDump(of: copy.url) == before)
        #expect(copy.bytes == (try Data(contentsOf: copy.url)).count)
        #expect(copy.store.lastPathComponent == "store.sqlite")
    }

    @Test func aCopyTellsTheVersionsThatItWasMadeBetween() async throws {
        try await store.make()
        try store.start(3)
        let copy = try #require(try store.copies().first)
        let model = copy.from.suffix(8)
        #expect(copy.from == "0-\(model)")
        #expect(copy.to == "2-\(model)")
        #expect(abs(copy.date.timeIntervalSinceNow) < 3600)
        #expect(copy.url.lastPathComponent.hasPrefix("store.sqlite.20"))
        #expect(copy.url.lastPathComponent.hasSuffix(".0-\(model).2-\(model).backup"))
    }

    @Test func aCopyIsOneFile() async throws {
        try await store.make()
        try store.start(2)
        let copy = try #require(try store.copies().first)
        #expect(try store.files() == ["store.sqlite", copy.url.lastPathComponent])
    }

    @Test func aCopyIsForThoseWhoMayReadTheStore() async throws {
        try await store.make()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.file.path)
        try store.start(2)
        let copy = try #require(try store.copies().first)
        #expect(try FileManager.default.attributesOfItem(atPath: copy.url.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func aStartWithNothingToDoCopiesNothing() async throws {
        try await store.make()
        try store.start(1)
        #expect(try store.copies().isEmpty)
    }

    @Test func anIndexThatOnlyAnotherProgramCanReadStopsNoStart() async throws {
        try await store.make()
        try await GRDB.DatabaseQueue(path: store.file.path).write { db in
            db.add(collation: DatabaseCollation("strange") { $0.compare($1) })
            try db.execute(sql: "CREATE TABLE others (x TEXT COLLATE strange UNIQUE)")
        }
        try store.start(2)
        #expect(try store.copies().count == 1)
        let context = try StorageKit.start(at: store.file) { GuardedStore.describe(&$0, 2) }
        #expect(try await context.checkIntegrity().isIntact)
        try await context.close()
    }

    @Test func copiesBelongToTheFileWhoseNameHasTheSameBytes() async throws {
        // One letter in two spellings: where names are kept as they are written, two files.
        let names = ["caf\u{e9}.sqlite", "cafe\u{301}.sqlite"]
        let options = StorageKit.StartOptions(safety: .backup(keeping: 1))
        for name in names {
            for version in 1...2 {
                let file = store.folder.url.appendingPathComponent(name)
                let context = try StorageKit.start(at: file, options: options) { GuardedStore.describe(&$0, version) }
                try await context.facade.save(TestUser(name))
                try await context.close()
            }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
        try #require(Set(files.map { Array($0.utf8) }).isSuperset(of: names.map { Array($0.utf8) }))
        for name in names {
            let copies = try StorageKit.backups(of: store.folder.url.appendingPathComponent(name))
            #expect(copies.count == 1)
            #expect(copies.first?.url.lastPathComponent.utf8.starts(with: name.utf8) == true)
        }
    }

    @Test func aCopyWithPagesOfAnotherSizeIsNotTakenForTheStores() async throws {
        try await store.make()
        struct Refused: Error {}
        #expect(throws: StorageError.self) { try store.start(2, failing: { _ in throw Refused() }) }
        #expect(try store.copies().count == 1)
        try store.run("PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM")
        try store.start(2)
        let copies = try store.copies()
        #expect(copies.count == 2)
        try await StorageKit.restore(try #require(copies.first))
    }

    @Test func aNewFileIsNotCopied() throws {
        try store.start(3)
        #expect(try store.copies().isEmpty)
    }

    @Test func aStartWithoutSafetyCopiesNothing() async throws {
        try await store.make()
        try store.start(2, keeping: nil)
        #expect(try store.copies().isEmpty)
    }

    @Test func aStoreInMemoryHasNothingToCopyAndStarts() async throws {
        let options = StartOptions(safety: .backup(keeping: 2))
        let context = try StorageKit.startInMemory(options: options) { GuardedStore.describe(&$0, 2) }
        try await context.facade.save(TestUser("1"))
        #expect(try await context.facade.count(TestUser.self) == 1)
    }

    @Test func theLoggerIsToldOfTheCopy() async throws {
        try await store.make()
        let log = Lines()
        try store.start(2, log: log)
        let copy = try #require(try store.copies().first)
        #expect(log.all.first == "Backed up to '\(copy.url.lastPathComponent)'")
    }

    @Test(arguments: [0, -1]) func fewerThanOneCopyIsRefused(number: Int) {
        let error = #expect(throws: StorageError.self) { try store.start(1, keeping: number) }
        guard case .invalidConfiguration = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func erasingTheDatabaseForDevelopmentIsCopiedBefore() async throws {
        try await store.make()
        try store.run("ALTER TABLE testusers ADD COLUMN odd TEXT")
        let options = StartOptions(safety: .backup(keeping: 1))
        _ = try StorageKit.start(at: store.file, options: options) { schema in
            schema.setOptions(Options(eraseDatabaseOnSchemaChange: true))
            GuardedStore.describe(&schema, 1)
        }
        let copy = try #require(try store.copies().first)
        let queue = try GRDB.DatabaseQueue(path: copy.url.path)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(odd IS NULL) FROM testusers") } == 3)
    }

    // MARK: - One moment

    @Test func noCommitFallsBetweenTheCopyAndTheChange() async throws {
        try await store.make()
        try store.run("CREATE TABLE counter (n); INSERT INTO counter VALUES (0)")
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(20)
        let other = try GRDB.DatabaseQueue(path: store.file.path, configuration: configuration)
        let writer = Task {
            while !Task.isCancelled { try await other.write { try $0.execute(sql: "UPDATE counter SET n = n + 1") } }
        }
        for number in 1...5 {
            let options = StartOptions(pool: .patient, safety: .backup(keeping: 9))
            let context = try StorageKit.start(at: store.file, options: options) { schema in
                schema.migration("\(number)") { db in
                    try db.execute(sql: "CREATE TABLE seen\(number) AS SELECT n FROM counter")
                }
            }
            let seen = try await context.storage.dbActor.read {
                try Int.fetchOne($0, sql: "SELECT n FROM seen\(number)")
            }
            let copy = try GRDB.DatabaseQueue(path: #require(try store.copies().first).url.path)
            #expect(try await copy.read { try Int.fetchOne($0, sql: "SELECT n FROM counter") } == seen)
        }
        writer.cancel()
        _ = await writer.result
    }

    // MARK: - How many there are

    @Test func aStateThatWasCopiedIsNotCopiedAgain() async throws {
        try await store.make()
        for _ in 0..<3 {
            #expect(throws: StorageError.self) { try store.start(1) { _ in throw PlannedFailure() } }
        }
        let copies = try store.copies()
        #expect(copies.count == 1)
        try store.start(2)
        #expect(try store.copies() == copies)
    }

    @Test func norIsOneWithATableThatHasNoRowids() async throws {
        try await store.make()
        try store.run("CREATE TABLE own (id TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO own VALUES ('x')")
        for _ in 0..<2 {
            #expect(throws: StorageError.self) { try store.start(1) { _ in throw PlannedFailure() } }
        }
        #expect(try store.copies().count == 1)
    }

    @Test(arguments: [
        "UPDATE testusers SET age = 7 WHERE id = '2'",
        // Where the rows of the file end, the copy has more.
        "DELETE FROM testusers WHERE rowid = (SELECT max(rowid) FROM testusers)",
        "UPDATE testusers SET rowid = rowid + 100",
        // Numbers of the app's own.
        "PRAGMA user_version = 7", "PRAGMA application_id = 7",
    ])
    func aFileThatChangedSinceItsCopyIsCopiedAgain(change: String) async throws {
        try await store.make()
        #expect(throws: StorageError.self) { try store.start(1) { _ in throw PlannedFailure() } }
        try store.run(change)
        try store.start(2)
        #expect(try store.copies().count == 2)
    }

    @Test func aFileWhoseIndexWasMadeAnewUnderItsNameIsCopiedAgain() async throws {
        try await store.make()
        try store.run("CREATE TABLE own (a, b); CREATE INDEX mine ON own (a)")
        #expect(throws: StorageError.self) { try store.start(1) { _ in throw PlannedFailure() } }
        try store.run("DROP INDEX mine; CREATE INDEX mine ON own (b)")
        try store.start(2)
        #expect(try store.copies().count == 2)
    }

    @Test func theCopiesOfAStoreBehindALinkLieBesideItsFile() async throws {
        try await store.make()
        let elsewhere = try TemporaryFolder()
        let link = elsewhere.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store.file)
        _ = try StorageKit.start(at: link, options: StorageKit.StartOptions(safety: .backup(keeping: 1))) {
            GuardedStore.describe(&$0, 2)
        }
        #expect(try store.copies().count == 1)
        #expect(try StorageKit.backups(of: link) == store.copies())
    }

    @Test func aDamagedCopyIsNoCopyOfTheState() async throws {
        try await store.make()
        #expect(throws: StorageError.self) { try store.start(1) { _ in throw PlannedFailure() } }
        try Data("no database".utf8).write(to: #require(try store.copies().first).url)
        try store.start(2)
        #expect(try store.copies().count == 2)
    }

    @Test func onlyTheNewestCopiesAreKept() async throws {
        try await store.make()
        for version in 2...6 { try store.start(version) }
        #expect(try store.copies().map { $0.to?.prefix(2) } == ["5-", "4-"])
    }

    @Test func oldCopiesStayIfTheStartFails() async throws {
        try await store.make()
        try store.start(2, keeping: 1)
        let before = try store.copies()
        #expect(throws: StorageError.self) { try store.start(2, keeping: 1) { _ in throw PlannedFailure() } }
        #expect(try store.copies().dropFirst() == before[...])
    }

    @Test func theCopyOfThisStartStaysThoughOthersAreNewer() async throws {
        try await store.make()
        try store.start(2, keeping: 1)
        let first = try #require(try store.copies().first)
        try await StorageKit.restore(first)
        #expect(try store.copies().count == 2)
        try store.start(2, keeping: 1)
        #expect(try store.copies() == [first])
    }

    @Test func copiesAreInTheOrderInWhichTheyWereMadeEvenIfTheClockStandsStill() async throws {
        try await store.make()
        let clock = ManualClock()
        for version in 2...5 {
            let options = StartOptions(clock: clock, safety: .backup(keeping: 9))
            _ = try StorageKit.start(at: store.file, options: options) { GuardedStore.describe(&$0, version) }
        }
        #expect(try store.copies().map { $0.from.prefix(2) } == ["3-", "2-", "1-", "0-"])
    }

    @Test(arguments: [-0.75, -86_400_000.125, 0, 1_767_225_600.875])
    func aCopyHasTheTimeOfTheClock(seconds: Double) async throws {
        try await store.make()
        let now = Date(timeIntervalSince1970: seconds)
        let options = StartOptions(clock: ManualClock(now), safety: .backup(keeping: 1))
        _ = try StorageKit.start(at: store.file, options: options) { GuardedStore.describe(&$0, 2) }
        let date = try #require(try store.copies().first).date
        #expect(abs(date.timeIntervalSince(now)) < 0.0001)
    }

    @Test(arguments: ["nan", "inf", "-inf", "1e300", "-1e12", "253402300800"])
    func aClockThatNoNameCanTellKeepsTheStartFromChangingAnything(seconds: String) async throws {
        try await store.make()
        let before = try DatabaseDump(of: store.file)
        let clock = ManualClock(Date(timeIntervalSince1970: try #require(Double(seconds))))
        let error = #expect(throws: StorageError.self) {
            try StorageKit.start(at: store.file, options: StartOptions(clock: clock, safety: .backup(keeping: 1))) {
                GuardedStore.describe(&$0, 2)
            }
        }
        guard case .migrationFailed("backup", let cause) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(cause is BackupError)
        #expect(error?.localizedDescription.contains("the years 1 to 9999") == true)
        #expect(try DatabaseDump(of: store.file) == before)
        #expect(try store.files() == ["store.sqlite"])
    }

    @Test func copiesOfAnotherStoreAreNotOnesOwn() async throws {
        try await store.make()
        try store.start(2)
        #expect(try StorageKit.backups(of: store.folder.file("store")).isEmpty)
        #expect(try StorageKit.backups(of: store.folder.url.appendingPathComponent("nowhere/store")).isEmpty)
        try Data().write(to: store.folder.file("store.sqlite.notes.backup"))
        let times = [
            "2026-99-99T00-00-00-000Z", "2026-11-24T15-04-10-12Z", "2026-11-24T15-04-10-1234Z",
            "2026-11-24-15-04-10-123Z",
        ]
        for time in times { try Data().write(to: store.folder.file("store.sqlite.\(time).1-a.2-b.backup")) }
        #expect(try store.copies().count == 1)
    }

    @Test func whatAKilledStartHasLeftOfACopyGoes() async throws {
        try await store.make()
        let name = "store.sqlite.2026-11-24T15-04-10-123Z.0-none.1-none.backup.partial"
        for suffix in ["", "-journal"] { try Data("half".utf8).write(to: store.folder.file(name + suffix)) }
        #expect(try store.copies().isEmpty)
        try store.start(2)
        #expect(try store.files().count == 2)
    }

    @Test func aLongFileNameKeepsTheStartFromChangingAnything() async throws {
        let file = store.folder.file(String(repeating: "a", count: 230))
        let old = try StorageKit.start(at: file) { GuardedStore.describe(&$0, 1) }
        try await old.close()
        let before = try DatabaseDump(of: file)
        let error = #expect(throws: StorageError.self) {
            try StorageKit.start(at: file, options: StartOptions(safety: .backup(keeping: 1))) {
                GuardedStore.describe(&$0, 2)
            }
        }
        guard case .migrationFailed("backup", let cause) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(cause is BackupError)
        #expect(try DatabaseDump(of: file) == before)
    }
}
