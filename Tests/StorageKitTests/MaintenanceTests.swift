import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@Suite struct MaintenanceTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore {
            $0.addKVCache()
            $0.autoSchema(TestUserRecord.self)
        }
    }

    private var copy: URL { store.folder.file("copy.sqlite") }

    private func fill(_ count: Int = 500) async throws {
        try await store.storage.save((0..<count).map { TestUser("\($0)", name: String(repeating: "x", count: 500)) })
    }

    private func open(_ url: URL) throws -> Storage {
        try StorageKit.start(at: url) {
            $0.addKVCache()
            $0.autoSchema(TestUserRecord.self)
        }.facade
    }

    // MARK: - Backup

    @Test func aBackupIsACompleteStore() async throws {
        try await fill()
        try await store.context.backup(to: copy)
        let backup = try open(copy)
        #expect(try await backup.all(TestUser.self) == store.storage.all(TestUser.self))
    }

    @Test func aBackupIsOneFile() async throws {
        try await fill()
        try await store.context.backup(to: copy)
        let files = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
        #expect(Set(files) == ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "copy.sqlite"])
    }

    @Test func aLaterBackupTakesThePlaceOfAnEarlierOne() async throws {
        try await store.context.backup(to: copy)
        try await fill(3)
        try await store.context.backup(to: copy)
        #expect(try await open(copy).count(TestUser.self) == 3)
    }

    @Test func aBackupSeesOneStateWhileOthersWrite() async throws {
        try await fill(10)
        let writes = Task { [storage = store.storage] in
            for age in 1...50 where !Task.isCancelled {
                try await storage.save((0..<10).map { TestUser("\($0)", age: age) })
            }
        }
        for _ in 0..<5 {
            try await store.context.backup(to: copy)
            let ages = try await Set(open(copy).all(TestUser.self).map(\.age))
            #expect(ages.count == 1)
        }
        writes.cancel()
        _ = await writes.result
    }

    @Test func aBackupOntoTheStoreItselfIsRefused() async throws {
        let error = await storageError { try await store.context.backup(to: store.url) }
        guard case .invalidConfiguration = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func aBackupNeverTakesThePlaceOfAPipeOrOfAnotherAddress() async throws {
        let pipe = store.folder.file("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let address = try #require(URL(string: "https://a.invalid\(store.folder.file("b").path)"))
        for place in [pipe, address] {
            let error = await storageError { try await store.context.backup(to: place) }
            guard case .invalidConfiguration = error else {
                Issue.record("unexpected: \(String(describing: error))")
                continue
            }
        }
        let kind = try FileManager.default.attributesOfItem(atPath: pipe.path)[.type] as? FileAttributeType
        #expect(kind != .typeRegular)
        #expect(!FileManager.default.fileExists(atPath: store.folder.file("b").path))
        #expect(throws: StorageError.self) { try StorageKit.start(at: pipe) }
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func aBackupOntoAFileBesideTheStoreIsRefused(suffix: String) async throws {
        try await fill(3)
        let place = URL(fileURLWithPath: store.url.path + suffix)
        let error = await storageError { try await store.context.backup(to: place) }
        #expect(error?.localizedDescription.contains("belongs to the database '\(store.url.path)'") == true)
        #expect(try await store.storage.count(TestUser.self) == 3)
    }

    @Test func aBackupGoesWhereASymbolicLinkPoints() async throws {
        try await store.context.backup(to: copy)
        let link = store.folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: copy)
        try await fill(3)
        try await store.context.backup(to: link)
        #expect(try await open(copy).count(TestUser.self) == 3)
    }

    @Test(arguments: [String(repeating: "x", count: 240), "it's \"é\" %20?mode=ro", "file:x"])
    func anyNameThatAFileCanHaveWillDo(name: String) async throws {
        let place = store.folder.file(name)
        try await fill(3)
        try await store.context.backup(to: place)
        #expect(try await open(place).count(TestUser.self) == 3)
    }

    @Test func aBackupOntoAnOpenDatabaseIsRefused() async throws {
        let other = try TemporaryStore(folder: TemporaryFolder()) { $0.autoSchema(TestUserRecord.self) }
        try await other.storage.save(TestUser("1"))
        let error = await storageError { try await store.context.backup(to: other.url) }
        #expect(error?.localizedDescription.contains("in use") == true)
        #expect(try await other.storage.count(TestUser.self) == 1)
    }

    @Test(arguments: ["-wal", "-journal"]) func aBackupOntoADatabaseThatWasNotClosedIsRefused(suffix: String)
        async throws
    {
        try await store.context.backup(to: copy)
        let before = try Data(contentsOf: copy)
        try Data().write(to: URL(fileURLWithPath: copy.path + suffix))
        try await fill(3)
        let error = await storageError { try await store.context.backup(to: copy) }
        #expect(error?.localizedDescription.contains("was not closed") == true)
        #expect(try Data(contentsOf: copy) == before)
    }

    @Test func aBackupThatFailsLeavesTheOldOneAndNothingElse() async throws {
        let missing = store.folder.url.appendingPathComponent("missing/copy.sqlite")
        let error = await storageError { try await store.context.backup(to: missing) }
        guard case .transactionFailed(is BackupError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(error?.localizedDescription.contains(missing.path) == true)
        // A folder in the place of the file cannot be replaced.
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        let refusal = await storageError { try await store.context.backup(to: copy) }
        #expect(refusal?.localizedDescription.hasSuffix("Is a directory") == true)
        let files = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
        #expect(files.filter { $0.hasPrefix(".") } == [])
    }

    /// A store that tells when a connection of it has run a statement: one with which a backup begins to copy.
    private func storeThatTells(
        of sql: String = "SELECT count(*) FROM sqlite_master", _ tell: @escaping @Sendable () -> Void
    ) throws -> TemporaryStore {
        try TemporaryStore(
            options: { options in
                options.pool = PoolOptions(configure: { configuration in
                    configuration.prepareDatabase { db in
                        db.trace(options: .profile) { event in
                            if "\(event)".hasSuffix(sql) { tell() }
                        }
                    }
                })
            },
            schema: { $0.autoSchema(TestUserRecord.self) })
    }

    @Test func aBackupThatIsCancelledLeavesTheOldOneAndNothingElse() async throws {
        let backup = Mutex<Task<Void, any Error>?>(nil)
        let store = try storeThatTells { backup.withLock { $0?.cancel() } }
        let place = store.folder.file("copy.sqlite")
        try Data("old".utf8).write(to: place)
        let running = backup.withLock { backup in
            let running = Task { try await store.context.backup(to: place) }
            backup = running
            return running
        }
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(try Data(contentsOf: place) == Data("old".utf8))
        let files = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
        #expect(files.filter { $0.hasPrefix(".") } == [])
    }

    @Test func aBackupIsMadeWhileAllThreadsThatTasksShareAreTaken() async throws {
        let rest = Rest()
        let store = try storeThatTells(rest.enter)
        let place = store.folder.file("copy.sqlite")
        let backup = Task(priority: .high) { try await store.context.backup(to: place) }
        await rest.begun()
        let isThere = Mutex(false)
        let areTaken = await whileSharedThreadsAreTaken(of: .high) {
            rest.leave()
            // Whatever could tell of the file needs a thread that tasks share, so that this looks again and again.
            let deadline = ContinuousClock.now + .seconds(600)
            while !FileManager.default.fileExists(atPath: place.path), ContinuousClock.now < deadline { sched_yield() }
            isThere.withLock { $0 = FileManager.default.fileExists(atPath: place.path) }
        }
        if !areTaken { rest.leave() }
        #expect(areTaken && isThere.withLock { $0 })
        try await backup.value
    }

    // MARK: - Vacuum

    @Test func vacuumGivesTheSpaceOfDeletedRowsBack() async throws {
        try await fill(2000)
        try await store.storage.deleteAll(TestUser.self)
        func pages() async throws -> Int? {
            try await store.db.read { try Row.fetchOne($0, sql: "PRAGMA page_count")?[0] }
        }
        let before = try #require(try await pages())
        try await store.context.vacuum()
        let after = try #require(try await pages())
        #expect(after < before / 2)
    }

    @Test func theLogIsEmptyOnceTheFileIsVacuumed() async throws {
        try await fill()
        try await store.storage.deleteAll(TestUser.self)
        try await store.context.vacuum()
        let log = try FileManager.default.attributesOfItem(atPath: store.url.path + "-wal")
        #expect(log[.size] as? Int == 0)
    }

    @Test func rowsStayAsTheyAreWhenVacuumed() async throws {
        try await fill()
        try await store.storage.delete(TestUser.self, id: "7")
        let before = try await store.storage.all(TestUser.self)
        try await store.context.vacuum()
        #expect(try await store.storage.all(TestUser.self) == before)
    }

    // MARK: - Statistics

    /// The index by which a user of an age is found who has a name.
    private func index() async throws -> String? {
        try await store.db.read { db in
            // Only what runs looks whether the schema is still the one that the connection knows.
            _ = try TestUserRecord.fetchOne(db)
            return try Row.fetchOne(
                db,
                sql: "EXPLAIN QUERY PLAN SELECT * FROM \(TestUserRecord.databaseTableName) WHERE name = 'a' AND age = 1"
            )?["detail"]
        }
    }

    @Test func theIndexThatFindsFewerRowsIsTakenOnceAFileIsAnalyzed() async throws {
        try await store.db.write { db in
            try db.execute(
                sql:
                    "CREATE INDEX byName ON \(TestUserRecord.databaseTableName) (name); CREATE INDEX byAge ON \(TestUserRecord.databaseTableName) (age)"
            )
        }
        for (isByName, name) in [(true, "byName"), (false, "byAge"), (true, "byName")] {
            try await store.storage.save(
                (0..<2000).map { number in
                    TestUser("\(number)", name: isByName ? "\(number)" : "a", age: isByName ? 1 : number)
                })
            try await store.context.analyze()
            let index = try await index()
            #expect(index?.contains(name) == true, "\(index ?? "")")
        }
    }

    @Test func rowsAndModelStayAsTheyAreWhenAnalyzed() async throws {
        try await fill()
        let before = try await store.storage.all(TestUser.self)
        try await store.context.analyze()
        #expect(try await store.storage.all(TestUser.self) == before)
        #expect(try await open(store.url).all(TestUser.self) == before)
        #expect(try await store.context.checkIntegrity().isIntact)
    }

    @Test func anAnalysisThatIsCancelledLeavesTheConnectionAsItWas() async throws {
        let analysis = Mutex<Task<Void, any Error>?>(nil)
        let store = try storeThatTells(of: "DROP TABLE IF EXISTS main.sqlite_stat1") {
            analysis.withLock { $0?.cancel() }
        }
        let pool = store.context.storage.pool
        func limit() async throws -> Int? {
            try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA analysis_limit") }
        }
        let before = try await limit()
        let running = analysis.withLock { analysis in
            let running = Task { try await store.context.analyze() }
            analysis = running
            return running
        }
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(try await limit() == before)
    }

    // MARK: - Integrity

    @Test func aSoundStoreIsIntact() async throws {
        try await fill()
        let report = try await store.context.checkIntegrity()
        #expect(report.isIntact)
        #expect(report.description == "ok")
    }

    @Test func brokenReferencesAreFound() async throws {
        try await store.context.storage.pool.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA foreign_keys = OFF; CREATE TABLE p (id INTEGER PRIMARY KEY);
                    CREATE TABLE c (p REFERENCES p(id)); INSERT INTO c VALUES (7); PRAGMA foreign_keys = ON
                    """)
        }
        let report = try await store.context.checkIntegrity()
        #expect(report.brokenReferences.map(\.table) == ["c"])
        #expect(report.brokenReferences.map(\.parent) == ["p"])
        #expect(!report.isIntact)
        #expect(report.damage.isEmpty)
    }

    @Test func foreignKeysThatCannotBeCheckedAreReportedBesideTheOthers() async throws {
        try await store.context.storage.pool.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA foreign_keys = OFF; CREATE TABLE p (id INTEGER PRIMARY KEY, x);
                    CREATE TABLE "c'1" (p REFERENCES p(x)); CREATE TABLE "c'2" (p PRIMARY KEY REFERENCES p) WITHOUT ROWID;
                    INSERT INTO "c'2" VALUES (7); PRAGMA foreign_keys = ON
                    """)
        }
        let report = try await store.context.checkIntegrity()
        #expect(report.damage == [#"foreign key mismatch - "c'1" referencing "p""#])
        #expect(report.brokenReferences.map(\.table) == ["c'2"])
        #expect(report.brokenReferences.map(\.rowid) == [nil])
    }

    @Test func aReferenceWhoseCollationOnlyAnotherProgramHasKeepsNothingElseFromBeingChecked() async throws {
        let other = try GRDB.DatabaseQueue(path: store.url.path)
        try await other.writeWithoutTransaction { db in
            db.add(collation: GRDB.DatabaseCollation("odd") { $0.compare($1) })
            try db.execute(
                sql: """
                    PRAGMA foreign_keys = OFF; CREATE TABLE a (name TEXT COLLATE odd PRIMARY KEY);
                    CREATE TABLE b (name REFERENCES a(name)); INSERT INTO b VALUES ('x');
                    CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE z (p REFERENCES p); INSERT INTO z VALUES (7)
                    """)
        }
        try other.close()
        let report = try await store.context.checkIntegrity()
        #expect(report.damage.isEmpty)
        #expect(report.brokenReferences.map(\.table) == ["z"])
    }

    @Test func aBrokenFullTextIndexIsFound() async throws {
        try await store.db.write { db in
            try db.execute(sql: "CREATE VIRTUAL TABLE good USING fts5(x); INSERT INTO good VALUES ('a')")
            try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES ('a')")
            try db.execute(sql: "CREATE VIRTUAL TABLE bad USING fts5(x, content='t')")
        }
        #expect(try await store.context.checkIntegrity().brokenIndexes == ["bad"])
    }

    @Test func aSearchThatLacksRowsIsFound() async throws {
        let searched = try TemporaryStore { schema in
            schema.autoSchema(TestUserRecord.self)
            schema.addFullTextSearch(table: "testusers", columns: ["name"])
        }
        try await searched.fill(3) { TestUser("\($0)", name: "Ada") }
        #expect(try await searched.context.checkIntegrity().brokenIndexes.isEmpty)
        try await searched.db.write {
            try $0.execute(sql: "DELETE FROM testusers_fts WHERE rowid = (SELECT MIN(rowid) FROM testusers_fts)")
        }
        #expect(try await searched.context.checkIntegrity().brokenIndexes == ["testusers_fts"])
    }

    private func searchedStore(_ folder: TemporaryFolder? = nil) throws -> TemporaryStore {
        try TemporaryStore(folder: folder, options: { $0.pool = .patient }) { schema in
            schema.autoSchema(TestUserRecord.self)
            schema.addFullTextSearch(table: "testusers", columns: ["name"])
        }
    }

    @Test(
        arguments: [
            "DELETE FROM testusers_fts_ids", "UPDATE testusers_fts_ids SET id = id || 'x'",
            // What searches do not find, as those of rows that were replaced, makes up for no other.
            "INSERT INTO testusers_fts (name) VALUES ('more'); DELETE FROM testusers_fts_ids WHERE docid = 1",
            "UPDATE testusers_fts SET name = 'Bob' WHERE rowid = 1",
        ])
    func aSearchThatFindsOtherRowsIsFound(sql: String) async throws {
        let searched = try searchedStore()
        try await searched.fill(3) { TestUser("\($0)", name: "Ada") }
        try await searched.db.write { try $0.execute(sql: sql) }
        #expect(try await searched.context.checkIntegrity().brokenIndexes == ["testusers_fts"])
    }

    @Test func aSearchWhoseTableAnotherConnectionMakesAnewIsLookedAt() async throws {
        let searched = try searchedStore()
        let other = try GRDB.DatabaseQueue(path: searched.url.path)
        let sql = try await other.read {
            try String.fetchOne($0, sql: "SELECT sql FROM sqlite_master WHERE name = 'testusers'")
        }
        try await other.write { try $0.execute(sql: "DROP TABLE testusers") }
        #expect(try await searched.context.checkIntegrity().brokenIndexes == [])
        try await other.write { try $0.execute(sql: #require(sql)) }
        #expect(try await searched.context.checkIntegrity().brokenIndexes == ["testusers_fts"])
    }

    /// What is compared is of one state.
    @Test func aSearchIsWholeWhileOthersWrite() async throws {
        let folder = try TemporaryFolder()
        let (searched, other) = (try searchedStore(folder), try searchedStore(folder))
        try await searched.fill(200) { TestUser("\($0)", name: "Ada") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var number = 0
                while !Task.isCancelled {
                    number += 1
                    try await other.storage.save(TestUser("other \(number)", name: "Bob"))
                }
            }
            for _ in 0..<50 {
                let report = try await searched.context.checkIntegrity()
                #expect(report.brokenIndexes == [])
            }
            group.cancelAll()
        }
    }

    @Test(arguments: ["DROP TRIGGER testusers_fts_au", "DROP TABLE testusers_fts"])
    func aSearchThatNoLongerFollowsItsTableIsFound(sql: String) async throws {
        let searched = try searchedStore()
        try await searched.db.write { try $0.execute(sql: sql) }
        #expect(try await searched.context.checkIntegrity().brokenIndexes == ["testusers_fts"])
    }

    @Test func aSearchThatWasDroppedAsAWholeIsMissedByNobody() async throws {
        let searched = try searchedStore()
        try await searched.db.write {
            for event in ["ai", "au", "ad"] { try $0.execute(sql: "DROP TRIGGER testusers_fts_\(event)") }
            try $0.execute(sql: "DROP TABLE testusers_fts; DROP TABLE testusers_fts_ids")
        }
        #expect(try await searched.context.checkIntegrity().isIntact)
    }

    @Test func aRowWithoutAnIdIsInNoSearch() async throws {
        let searched = try searchedStore()
        try await searched.fill(1) { TestUser("\($0)", name: "Ada") }
        try await searched.db.write {
            try $0.execute(
                sql: """
                    CREATE TABLE other AS SELECT * FROM testusers; UPDATE other SET id = NULL;
                    INSERT INTO testusers SELECT * FROM other; DROP TABLE other
                    """)
        }
        #expect(try await searched.context.checkIntegrity().isIntact)
    }

    @Test func aSearchWhoseTableIsSpelledOtherwiseIsIntact() async throws {
        let folder = try TemporaryFolder()
        try searchedStore(folder).context.storage.pool.close()
        let again = try TemporaryStore(folder: folder) { schema in
            schema.autoSchema(TestUserRecord.self)
            schema.addFullTextSearch(table: "TestUsers", columns: ["name"])
        }
        #expect(try await again.context.checkIntegrity().isIntact)
    }

    @Test func aStoreThatOnlyReadsIsChecked() async throws {
        let folder = try TemporaryFolder()
        let searched = try searchedStore(folder)
        try await searched.fill(3) { TestUser("\($0)", name: "Ada") }
        let readers = StorageKit.StartOptions(pool: PoolOptions(configure: { $0.readonly = true }))
        let reading = try StorageKit.start(at: searched.url, options: readers) { schema in
            schema.autoSchema(TestUserRecord.self)
            schema.addFullTextSearch(table: "testusers", columns: ["name"])
        }
        #expect(try await reading.checkIntegrity().isIntact)
        // A write that was refused leaves nothing to be repaired.
        await #expect(throws: StorageError.self) { try await reading.facade.save(TestUser("9")) }
        #expect(try await reading.facade.transaction { try $0.get(TestUser.self, id: "1") }?.name == "Ada")
    }

    /// The mark makes one character with the sign before it, in what a start records.
    @Test func aLostSearchOfATableThatBeginsWithAMarkIsFound() async throws {
        let searched = try TemporaryStore { schema in
            schema.migration("marks") {
                try $0.execute(sql: "CREATE TABLE \"\u{301}marks\" (id TEXT PRIMARY KEY, name TEXT)")
            }
            schema.addFullTextSearch(table: "\u{301}marks", columns: ["name"])
        }
        #expect(try await searched.context.checkIntegrity().brokenIndexes == [])
        try await searched.db.write { try $0.execute(sql: "DROP TABLE \"\u{301}marks_fts\"") }
        #expect(try await searched.context.checkIntegrity().brokenIndexes == ["\u{301}marks_fts"])
    }

    @Test func everyKindOfFullTextTableIsLookedAt() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE "it's ""x" USING fts5(x, content=''); INSERT INTO "it's ""x" VALUES ('a');
                    CREATE VIRTUAL TABLE vocabulary USING fts5vocab("it's ""x", 'row');
                    CREATE VIRTUAL TABLE older USING fts4(x); CREATE VIRTUAL TABLE area USING rtree(id, a, b);
                    CREATE TABLE t (x); INSERT INTO t VALUES ('a'); CREATE TABLE u (x);
                    """)
            try db.execute(sql: "CREATE VIRTUAL TABLE unfilled\nUSING\n  fts5(x, content='t')")
            try db.execute(sql: "CREATE VIRTUAL TABLE widowed USING fts5(x, content='u'); DROP TABLE u")
        }
        let report = try await store.context.checkIntegrity()
        #expect(report.brokenIndexes == ["unfilled", "widowed"])
        #expect(report.damage.isEmpty)
    }

    @Test func damageIsReportedAndDoesNotThrow() async throws {
        let folder = try TemporaryFolder()
        do {
            let other = try TemporaryStore(folder: folder) { $0.autoSchema(TestUserRecord.self) }
            try await other.storage.save((0..<2000).map { TestUser("\($0)", name: String(repeating: "y", count: 300)) })
            try await other.context.backup(to: folder.file("damaged.sqlite"))
        }
        let url = folder.file("damaged.sqlite")
        var bytes = try Data(contentsOf: url)
        for page in 20..<40 {
            bytes.replaceSubrange((page * 4096)..<(page * 4096 + 100), with: Data(repeating: 0xEE, count: 100))
        }
        try bytes.write(to: url)
        let damaged = try StorageKit.start(at: url) { $0.autoSchema(TestUserRecord.self) }
        let report = try await damaged.checkIntegrity()
        #expect(!report.damage.isEmpty)
    }

    /// A function or collation that only another program has. A connection that writes would have to run the check.
    @Test(arguments: ["odd(name)", "name COLLATE odd <> ''"])
    func aCheckThatCannotBeRunDoesNotHinderTheOthers(condition: String) async throws {
        let context = try StorageKit.startInMemory { $0.autoSchema(TestUserRecord.self) }
        try await context.storage.dbActor.write { db in
            let function = DatabaseFunction("odd", argumentCount: 1, pure: true) { _ in true }
            let collation = DatabaseCollation("odd") { $0.compare($1) }
            db.add(function: function)
            db.add(collation: collation)
            try db.execute(
                sql: """
                    CREATE TABLE foreigners (name TEXT CHECK (\(condition)));
                    CREATE VIRTUAL TABLE bad USING fts5(x, content='nothing');
                    """)
            db.remove(function: function)
            db.remove(collation: collation)
        }
        let report = try await context.checkIntegrity()
        #expect(report.damage == [])
        #expect(report.brokenIndexes == ["bad"])
    }
}
