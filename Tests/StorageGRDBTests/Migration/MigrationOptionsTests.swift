import Dispatch
import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct MigrationOptionsTests {
    private let folder: TemporaryFolder
    private let pool: GRDB.DatabasePool

    init() throws {
        folder = try TemporaryFolder()
        pool = try GRDB.DatabasePool(path: folder.file().path)
    }

    private func table(_ columns: String...) -> TableSchema {
        TableSchema(name: "notes", columns: [.id] + columns.map { ColumnSchema(name: $0, type: "TEXT") })
    }

    @discardableResult
    private func run(erase: Bool = false, strict: Bool = false, _ describe: (inout AppMigrations) -> Void) throws
        -> [String]
    {
        let options = Options(eraseDatabaseOnSchemaChange: erase, refusesUnknownMigrations: strict)
        return try AppMigrations.start(on: pool, options: options, describe)
    }

    private func insert() throws {
        try pool.write { try $0.execute(sql: "INSERT INTO notes (id) VALUES ('1')") }
    }

    private func count() throws -> Int? {
        try pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM notes") }
    }

    // MARK: - Erasing

    @Test func withoutTheOptionNothingIsErased() throws {
        try run { $0.autoSchema(tables: [table("a")]) }
        try insert()
        try run { $0.autoSchema(tables: [table("b")]) }
        #expect(try count() == 1)
    }

    @Test func aChangedModelErasesEverything() throws {
        try run { $0.autoSchema(tables: [table("a")]) }
        try insert()
        try pool.write { db in
            try db.execute(sql: "CREATE TABLE other (x); CREATE VIEW v AS SELECT * FROM notes")
            try db.execute(sql: "CREATE VIRTUAL TABLE f USING fts5(x)")
        }
        let log = try run(erase: true) { $0.autoSchema(tables: [table("b")]) }
        #expect(log.first == "Erased the database, since its schema had changed")
        #expect(try count() == 0)
        let names = try pool.read {
            try String.fetchSet($0, sql: "SELECT name FROM sqlite_master WHERE type <> 'index'")
        }
        #expect(names == ["notes", "grdb_migrations"])
    }

    @Test func aTableWhoseNameAlmostBeginsAsThoseOfSQLiteIsErasedToo() throws {
        try run { $0.autoSchema(tables: [table("a")]) }
        try pool.write { try $0.execute(sql: "CREATE TABLE sqliteNotes (x)") }
        try run(erase: true) { $0.autoSchema(tables: [table("b")]) }
        #expect(try pool.read { try $0.tableExists("sqliteNotes") } == false)
    }

    @Test func aModelThatWentBackErasesTheFile() throws {
        let newer = ColumnSchema(name: "a", type: "INTEGER")
        try run { $0.autoSchema(tables: [table("a")]) }
        try run { $0.autoSchema(tables: [TableSchema(name: "notes", columns: [.id, newer])]) }
        try insert()
        try run(erase: true) { $0.autoSchema(tables: [table("a")]) }
        #expect(try count() == 0)
    }

    @Test func anUnchangedModelErasesNothing() throws {
        for _ in 0..<2 {
            try run(erase: true) {
                $0.addKVCache()
                $0.autoSchema(tables: [table("a")])
                $0.migration("index") { try $0.create(index: "i", on: "notes", columns: ["a"]) }
            }
            if try count() == 0 { try insert() }
        }
        #expect(try count() == 1)
    }

    @Test func aColumnAddedBeforeTheOptionWasSetErasesNothing() throws {
        try run { $0.autoSchema(tables: [table("b")]) }
        try insert()
        try run { $0.autoSchema(tables: [table("a", "b")]) }
        #expect(try run(erase: true) { $0.autoSchema(tables: [table("a", "b")]) } == [])
        #expect(try count() == 1)
    }

    @Test func anIndexThatIsDeclaredNowOrNoLongerErasesNothing() throws {
        let indexed = TableSchema(name: "notes", columns: table("a").columns, indexes: [IndexSchema(["a"])])
        try run(erase: true) { $0.autoSchema(tables: [table("a")]) }
        try insert()
        try run(erase: true) { $0.autoSchema(tables: [indexed]) }
        #expect(try pool.read { try $0.indexes(on: "notes").contains { $0.columns == ["a"] } })
        try run(erase: true) { $0.autoSchema(tables: [table("a")]) }
        #expect(try count() == 1)
    }

    @Test func aMigrationWhoseBodyChangedErases() throws {
        try run(erase: true) {
            $0.autoSchema(tables: [table("a", "b")])
            $0.migration("index") { try $0.create(index: "i", on: "notes", columns: ["a"]) }
        }
        try insert()
        try run(erase: true) {
            $0.autoSchema(tables: [table("a", "b")])
            $0.migration("index") { try $0.create(index: "i", on: "notes", columns: ["b"]) }
        }
        #expect(try count() == 0)
    }

    @Test func anErasureWhoseStartFailsErasesNothing() throws {
        try run { $0.autoSchema(tables: [table("a")]) }
        try insert()
        struct Refused: Error {}
        #expect(throws: StorageError.self) {
            try run(erase: true) { schema in
                schema.autoSchema(tables: [table("b")])
                schema.migration("fails") { _ in throw Refused() }
            }
        }
        #expect(try count() == 1)
    }

    @Test func whatIsAppendedToTheSchemaErasesNothing() throws {
        try run(erase: true) { $0.autoSchema(tables: [table("a")]) }
        try insert()
        let log = try run(erase: true) {
            $0.addKVCache()
            $0.autoSchema(tables: [table("a"), TableSchema(name: "more", columns: [.id])])
            $0.addFullTextSearch(table: "notes", columns: ["a"])
            $0.migration("index") { try $0.create(index: "i", on: "notes", columns: ["a"]) }
        }
        #expect(log.count == 5, "\(log)")
        #expect(try count() == 1)
    }

    @Test func aNameThatChangedInItsCapitalsOnlyErasesNothing() throws {
        try run(erase: true) { $0.autoSchema(tables: [table("userID")]) }
        try insert()
        try run(erase: true) { $0.autoSchema(tables: [table("userId")]) }
        #expect(try count() == 1)
    }

    /// A table whose column `a` refers to one that only a migration makes.
    private func referringTable(_ name: String) -> TableSchema {
        TableSchema(
            name: name, columns: table("a").columns, references: [ReferenceSchema(column: "a", table: "folders")])
    }

    private func addFolders(_ schema: inout AppMigrations) {
        schema.migration("folders") { try $0.execute(sql: "CREATE TABLE folders (id TEXT PRIMARY KEY)") }
    }

    @Test func aChangedModelThatNeedsANewMigrationErases() throws {
        try run(erase: true) { $0.autoSchema(tables: [table("a")]) }
        try insert()
        let log = try run(erase: true) {
            addFolders(&$0)
            $0.autoSchema(tables: [referringTable("notes")])
        }
        #expect(log.first == "Erased the database, since its schema had changed")
        #expect(try count() == 0)
    }

    @Test func aNewTableThatNeedsANewMigrationErasesNothing() throws {
        try run(erase: true) { $0.autoSchema(tables: [table("a")]) }
        try insert()
        for _ in 0..<2 {
            try run(erase: true) {
                addFolders(&$0)
                $0.autoSchema(tables: [table("a"), referringTable("more")])
            }
        }
        #expect(try count() == 1)
        #expect(try pool.read { try $0.tableExists("folders") && $0.tableExists("more") })
    }

    @Test func whatIsMadeInAnEmptyFileIsNotTakenForTheTablesOfTheFile() throws {
        var schema = AppMigrations()
        schema.migration("notes") { try $0.execute(sql: "CREATE TABLE notes (id)") }
        try schema.run(on: pool)
        let config = StorageConfig(clock: ManualClock())
        let context = MigrationContext(now: config.clock.now, coders: config.coders)
        let run = try MigrationRun(schema, in: context)
        try pool.writeWithoutTransaction { db in
            #expect(try !run.isSchemaChanged(db))
            // The version counts the changes of a schema, so that two files may have the same.
            for version in 0..<20 {
                try db.execute(sql: "PRAGMA schema_version = \(version)")
                #expect(try !context.tables.isCurrent(db))
            }
        }
    }

    @Test func aTableThatAMigrationWhichHadRunNowMakesErases() throws {
        try run(erase: true) {
            $0.autoSchema(tables: [table("a")])
            $0.migration("more") { _ in }
        }
        try insert()
        try run(erase: true) {
            $0.autoSchema(tables: [table("a")])
            $0.migration("more") { try $0.execute(sql: "CREATE TABLE more (x)") }
        }
        #expect(try count() == 0)
    }

    @Test(arguments: [
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE)",
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT REFERENCES t(a))",
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT REFERENCES t(a) ON DELETE CASCADE)",
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT) WITHOUT ROWID",
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT) STRICT",
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT AS (a))",
    ])
    func keysAndKindsOfTablesAreCompared(sql: String) throws {
        let tables = ["CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)", sql]
        for (before, after) in [(0, 1), (1, 0), (1, 1)] {
            let queue = try GRDB.DatabaseQueue()
            var schema = AppMigrations()
            schema.migration("t") { try $0.execute(sql: tables[before]) }
            try schema.run(on: queue)
            schema = AppMigrations()
            schema.setOptions(Options(eraseDatabaseOnSchemaChange: true))
            schema.migration("t") { try $0.execute(sql: tables[after]) }
            #expect(try schema.plan(on: queue).isEmpty == (before == after))
        }
    }

    @Test func aSchemaIsComparedAndPlannedWhereAllConnectionsShareOneQueue() throws {
        var configuration = GRDB.Configuration()
        configuration.targetQueue = DispatchQueue(label: "one for all")
        let queue = try GRDB.DatabaseQueue(path: folder.file("queue.sqlite").path, configuration: configuration)
        var schema = AppMigrations()
        schema.autoSchema(tables: [table("a")])
        try schema.run(on: queue)
        schema = AppMigrations()
        schema.setOptions(Options(eraseDatabaseOnSchemaChange: true))
        schema.autoSchema(tables: [table("b")])
        #expect(try schema.plan(on: queue).operations.first == .eraseDatabase)
        try schema.run(on: queue)
        #expect(try schema.plan(on: queue).isEmpty)
    }

    @Test func aMigrationThatFailsInAnEmptyFileIsNamed() throws {
        try run {
            $0.autoSchema(tables: [table("a")])
            $0.migration("nowhere") { _ in }
        }
        let error = #expect(throws: StorageError.self) {
            try run(erase: true) {
                $0.autoSchema(tables: [table("a")])
                $0.migration("nowhere") { try $0.execute(sql: "DROP TABLE nowhere") }
            }
        }
        guard case .migrationFailed("nowhere", _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    // MARK: - A newer version of the app

    @Test func migrationsOfANewerVersionAreAWarning() throws {
        try run {
            $0.migration("1") { _ in }
            $0.migration("2") { _ in }
            $0.migration("3") { _ in }
        }
        let log = try run { $0.migration("1") { _ in } }
        #expect(log == ["Warning: the file has had migrations that this version does not know: '2', '3'"])
    }

    @Test func thePlanNamesMigrationsOfANewerVersion() throws {
        try run {
            $0.migration("1") { _ in }
            $0.migration("2") { _ in }
        }
        var older = AppMigrations()
        older.migration("1") { _ in }
        #expect(try older.plan(on: pool).unknownMigrations == ["2"])
    }

    @Test func aFileOfANewerVersionIsRefusedWhereAskedFor() throws {
        try run {
            $0.migration("1") { _ in }
            $0.migration("2026-09-09_later") { _ in }
        }
        let error = #expect(throws: StorageError.self) {
            try run(strict: true) {
                $0.migration("1") { _ in }
                $0.autoSchema(tables: [table("a")])
            }
        }
        guard case .invalidConfiguration(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(message.contains("newer version"))
        #expect(message.contains("'2026-09-09_later'"))
        #expect(try pool.read { try $0.tableExists("notes") } == false)
    }

    @Test func fingerprintsOfOtherModelsAreNotUnknown() throws {
        try run(strict: true) { $0.autoSchema(tables: [table("a")]) }
        #expect(try run(strict: true) { $0.autoSchema(tables: [table("a", "b")]) }.count == 2)
    }

    @Test func aFileThatANewerVersionMigratesMeanwhileIsRefusedWhereAskedFor() throws {
        let (hasLock, isWaiting, isDone) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        // SQLite calls this once the older version wants the lock, which is after its look at the file.
        var configuration = GRDB.Configuration()
        configuration.busyMode = .callback { _ in
            isWaiting.signal()
            return isDone.wait(timeout: .now() + 60) == .success
        }
        let older = try GRDB.DatabasePool(path: pool.path, configuration: configuration)
        DispatchQueue.global().async { [pool] in
            var newer = AppMigrations()
            newer.migration("2") { _ in
                hasLock.signal()
                isWaiting.wait()
            }
            try? newer.run(on: pool)
            isDone.signal()
        }
        hasLock.wait()
        var schema = AppMigrations()
        schema.setOptions(Options(refusesUnknownMigrations: true))
        schema.migration("1") { try $0.execute(sql: "CREATE TABLE notes (id)") }
        let error = #expect(throws: StorageError.self) { try schema.run(on: older) }
        #expect(error?.localizedDescription.contains("'2'") == true)
        #expect(try pool.read { try $0.tableExists("notes") } == false)
    }
}
