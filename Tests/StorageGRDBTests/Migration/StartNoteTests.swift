import GRDB
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB
@testable import StorageKit

/// A start that has nothing to do leaves a note, and the next one looks for that alone.
@Suite struct StartNoteTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file()
    }

    private static func table(_ columns: String..., name: String = "notes") -> TableSchema {
        TableSchema(name: name, columns: [.id] + columns.map { .text($0) })
    }

    /// Starts, and tells the statements that the migrations ran.
    @discardableResult
    private func start(
        _ options: Options = Options(), _ describe: (inout AppMigrations) -> Void = StartNoteTests.describe
    ) throws -> [String] {
        let statements = Mutex<[String]>([])
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            db.trace { event in
                if case .statement(let statement) = event { statements.withLock { $0.append(statement.sql) } }
            }
        }
        let pool = try GRDB.DatabasePool(path: url.path, configuration: configuration)
        statements.withLock { $0 = [] }
        var schema = AppMigrations()
        schema.setOptions(options)
        describe(&schema)
        try schema.run(on: pool)
        let ran = statements.withLock { $0 }
        try pool.close()
        return ran
    }

    private static func describe(_ schema: inout AppMigrations) {
        schema.addKVCache()
        schema.autoSchema(tables: [table("a", "b")])
        schema.addFullTextSearch(table: "notes", columns: ["a"])
        schema.migration("index") { try $0.create(index: "i", on: "notes", columns: ["b"]) }
    }

    /// Whether the next start looks at more than the note.
    private func looksAtEverything(
        _ options: Options = Options(), _ describe: (inout AppMigrations) -> Void = StartNoteTests.describe
    ) throws -> Bool {
        try start(options, describe).count > 2
    }

    private func run(_ sql: String) throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func fetch(_ sql: String) throws -> [String] {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        return try queue.read { try String.fetchAll($0, sql: sql) }
    }

    private func notes() throws -> [String] {
        try fetch("SELECT identifier FROM grdb_migrations WHERE identifier LIKE 'storage_schema_checked:%'")
    }

    private func columns() throws -> [String] { try fetch("SELECT name FROM pragma_table_info('notes')") }

    // MARK: - The look

    @Test func theSecondStartRunsTheLookAndNothingElse() throws {
        #expect(try start().count > 20)
        #expect(try notes().count == 1)
        let statements = try start()
        #expect(statements.count == 2, "\(statements)")
        #expect(statements.first?.contains("sqlite_master") == true)
        #expect(statements.last?.contains("FROM main.grdb_migrations") == true)
    }

    @Test func aStoreThatIsStartedAgainFindsItsNoteToo() throws {
        let statements = Mutex<[String]>([])
        var options = StorageKit.StartOptions()
        options.pool.alsoPrepare { db in
            db.trace { event in
                if case .statement(let statement) = event { statements.withLock { $0.append(statement.sql) } }
            }
        }
        for _ in 0..<2 {
            statements.withLock { $0 = [] }
            _ = try StorageKit.start(at: url, options: options) { schema in
                schema.addKVCache()
                schema.autoSchema(TestTicketRecord.self)
            }
        }
        let checks = statements.withLock { $0 }.filter { $0.contains("table_xinfo") || $0.contains("EXISTS") }
        #expect(checks.isEmpty, "\(checks)")
    }

    @Test func aFileOfAnEarlierVersionGetsItsNoteAtTheFirstStart() throws {
        try start()
        try run("DELETE FROM grdb_migrations WHERE identifier LIKE 'storage_schema_checked:%'")
        #expect(try looksAtEverything())
        #expect(try notes().count == 1)
        #expect(try !looksAtEverything())
    }

    @Test func aSchemaWithoutStepsNeedsNoNote() throws {
        try start { _ in }
        #expect(try fetch("SELECT name FROM sqlite_master").isEmpty)
    }

    // MARK: - Changes in the file

    @Test(arguments: [
        "ALTER TABLE notes ADD COLUMN c TEXT", "DROP INDEX i", "CREATE VIEW v AS SELECT 1",
        "DROP TRIGGER \"notes_fts_delete\"", "DROP TABLE kv_cache", "ALTER TABLE notes RENAME COLUMN a TO A",
        "INSERT INTO grdb_migrations VALUES ('of a newer version')",
        "DELETE FROM grdb_migrations WHERE identifier = 'index'; DROP INDEX i",
    ])
    func whateverIsChangedByHandMakesTheNextStartLook(sql: String) throws {
        try start()
        let triggers = try fetch("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        try run(sql.replacingOccurrences(of: "notes_fts_delete", with: triggers[0]))
        #expect(try looksAtEverything())
    }

    @Test func aColumnThatIsGoneComesBack() throws {
        try start()
        try run("DROP INDEX i; ALTER TABLE notes DROP COLUMN b")
        try start()
        #expect(try columns() == ["id", "a", "b"])
    }

    @Test func aTriggerThatIsGoneComesBack() throws {
        try start()
        let sql = "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
        let triggers = try fetch(sql)
        try run("DROP TRIGGER \"\(triggers[0])\"")
        try start()
        #expect(try fetch(sql) == triggers)
    }

    /// `PRAGMA schema_version` is no part of it: whoever sets it back, or copies a file over another, fools nobody.
    @Test func theVersionOfTheSchemaProvesNothing() throws {
        try start()
        let version = try fetch("SELECT schema_version FROM pragma_schema_version")
        try run("DROP INDEX i; ALTER TABLE notes DROP COLUMN b; PRAGMA schema_version = \(version[0])")
        #expect(try looksAtEverything())
        #expect(try columns() == ["id", "a", "b"])
    }

    @Test func aNoteOfAnotherFileIsNotBelieved() throws {
        try start()
        let foreign = try notes()[0]
        try run("DROP INDEX i; ALTER TABLE notes DROP COLUMN b")
        #expect(try notes() == [foreign])
        #expect(try looksAtEverything())
        #expect(try notes().count == 1)
    }

    @Test func whatAnotherProcessChangesBetweenTheLookAndTheNoteIsNotNoted() throws {
        try start()
        try run("DELETE FROM grdb_migrations WHERE identifier LIKE 'storage_schema_checked:%'")
        var schema = AppMigrations()
        Self.describe(&schema)
        let pool = try GRDB.DatabasePool(path: url.path)
        pool.writeWithoutTransaction { db in
            db.trace { event in
                // It is told before it takes the lock, and is the one that leaves the note.
                guard case .statement(let statement) = event, statement.sql.hasPrefix("BEGIN IMMEDIATE") else { return }
                try? run("DROP INDEX i; ALTER TABLE notes DROP COLUMN b")
            }
        }
        try schema.run(on: pool)
        #expect(try columns() == ["id", "a"])
        try start()
        #expect(try columns() == ["id", "a", "b"])
    }

    @Test func aVacuumChangesNothing() throws {
        try start()
        try run("VACUUM")
        try start()
        #expect(try !looksAtEverything())
    }

    @Test func aBackupIsTakenForWhatItIs() throws {
        try start()
        let backup = folder.file("backup")
        try run("VACUUM INTO '\(backup.path)'")
        try run("DROP INDEX i; ALTER TABLE notes DROP COLUMN b")
        // The older file in place of the newer one.
        let (from, to) = (try DatabaseQueue(path: backup.path), try DatabaseQueue(path: url.path))
        try from.backup(to: to)
        try from.close()
        try to.close()
        try start()
        #expect(try columns() == ["id", "a", "b"])
        #expect(try !looksAtEverything())
    }

    // MARK: - Changes of what is asked for

    @Test func aChangedModelIsMigrated() throws {
        try start()
        try start { schema in
            Self.describe(&schema)
            schema.autoSchema(tables: [Self.table("a", "b", "c")])
        }
        #expect(try columns() == ["id", "a", "b", "c"])
    }

    /// What has that name in the file too is in the way, though nothing is there to be done.
    @Test(arguments: [
        TableSchema(name: "notes", columns: [.id, .text("a")], formerNames: ["others"]),
        TableSchema(name: "notes", columns: [.id, .text("a")], formerColumnNames: ["a": ["b"]]),
    ])
    func aFormerNameThatIsDeclaredLaterIsLookedFor(renamed: TableSchema) throws {
        try run("CREATE TABLE others (id TEXT); CREATE TABLE notes (id TEXT PRIMARY KEY, a TEXT NOT NULL, b TEXT)")
        try start { $0.autoSchema(tables: [Self.table("a")]) }
        #expect(throws: StorageError.self) { try start { $0.autoSchema(tables: [renamed]) } }
    }

    @Test func aNewMigrationRuns() throws {
        try start()
        try start { schema in
            Self.describe(&schema)
            schema.migration("rows") { try $0.execute(sql: "INSERT INTO notes (id, a, b) VALUES ('1', '', '')") }
        }
        #expect(try fetch("SELECT id FROM notes") == ["1"])
    }

    @Test func anotherTokenizerMakesTheIndexAnew() throws {
        for tokenizer in ["unicode61", "trigram"] {
            try start { schema in
                schema.autoSchema(tables: [Self.table("a", "b")])
                schema.addFullTextSearch(table: "notes", columns: ["a"], tokenizer: tokenizer)
            }
        }
        #expect(try fetch("SELECT sql FROM sqlite_master WHERE name = 'notes_fts'")[0].contains("trigram"))
    }

    @Test func aUniqueKeyThatIgnoresCaseFromNowOnIsMadeAnew() throws {
        for ignoresCase in [false, true] {
            let key = IndexSchema(["a"], isUnique: true, ignoresCase: ignoresCase)
            let table = TableSchema(name: "notes", columns: [.id, .text("a")], indexes: [key])
            try start { $0.autoSchema(tables: [table]) }
        }
        #expect(throws: DatabaseError.self) { try run("INSERT INTO notes VALUES ('1', 'x'), ('2', 'X')") }
    }

    @Test func anotherTableOfTheDiskCacheIsMade() throws {
        try start { $0.addKVCache() }
        try start { $0.addKVCache(tableName: "cache") }
        #expect(try fetch("SELECT name FROM sqlite_master WHERE name IN ('cache', 'kv_cache')").count == 2)
    }

    @Test func aDatabaseThatMayBeErasedIsComparedEachTime() throws {
        let options = Options(eraseDatabaseOnSchemaChange: true)
        try start(options)
        #expect(try notes().isEmpty)
        // The body of a migration tells nothing of what it does.
        try start(options) { schema in
            schema.autoSchema(tables: [Self.table("a", "b")])
            schema.migration("index") { try $0.create(index: "j", on: "notes", columns: ["b"]) }
        }
        #expect(try fetch("SELECT name FROM sqlite_master WHERE name IN ('i', 'j')") == ["j"])
    }

    @Test func unknownMigrationsAreRefusedAfterANoteThatLetThemPass() throws {
        try start()
        try run("INSERT INTO grdb_migrations VALUES ('of a newer version')")
        try start()
        #expect(try !looksAtEverything())
        #expect(throws: StorageError.self) { try start(Options(refusesUnknownMigrations: true)) }
    }

    // MARK: - What is told

    @Test func warningsAreToldAtEachStartToWhoListens() throws {
        try start()
        try run("ALTER TABLE notes ADD COLUMN c TEXT")
        let lines = Mutex<[String]>([])
        let options = Options(logger: { line in lines.withLock { $0.append(line) } })
        for _ in 0..<3 { try start(options) }
        #expect(lines.withLock { $0 }.count { $0.hasPrefix("Warning:") } == 3)
        #expect(try notes().map { $0.hasSuffix(":told") } == [true])
        // Nobody listens.
        #expect(try !looksAtEverything())
    }

    @Test func aMonitorListensWithoutALogger() throws {
        try start()
        try run("ALTER TABLE notes ADD COLUMN c TEXT")
        try start()
        #expect(try !looksAtEverything())
        let events = EventLog()
        var schema = AppMigrations()
        Self.describe(&schema)
        let pool = try GRDB.DatabasePool(path: url.path)
        try schema.run(on: pool, config: StorageConfig(monitor: events))
        #expect(events.events.contains { "\($0)".contains("Warning:") }, "\(events.events)")
    }

    @Test func aPlanLooksAtEverything() throws {
        try start()
        try run("ALTER TABLE notes ADD COLUMN c TEXT")
        try start()
        var schema = AppMigrations()
        Self.describe(&schema)
        let pool = try GRDB.DatabasePool(path: url.path)
        #expect(try schema.plan(on: pool).differences.count == 1)
    }

    // MARK: - Several versions

    @Test func twoProgramsThatDescribeOtherSchemasKeepTheirNotes() throws {
        let other = { (schema: inout AppMigrations) in
            _ = schema.addKVCache()
            schema.autoSchema(tables: [Self.table("a", "b")])
        }
        // The second program changes what is recorded, so that each looks once more.
        for _ in 0..<2 {
            try start()
            try start(Options(), other)
        }
        #expect(try notes().count == 2)
        #expect(try !looksAtEverything())
        #expect(try !looksAtEverything(Options(), other))
    }

    @Test func notesThatNoLongerHoldAreTakenAway() throws {
        for number in 0..<5 {
            try start { $0.autoSchema(tables: [Self.table("a", "b"), Self.table("x", name: "t\(number)")]) }
        }
        #expect(try notes().count == 1)
    }

    /// A column that takes NULL since an older version did not know it may get another NULL from that version at any time.
    @Test func aColumnThatMayGetNullsIsLookedAtEachTime() throws {
        let (old, new) = (Self.table("a"), Self.table("a", "b"))
        try start { $0.autoSchema(tables: [new]) }
        try start { $0.autoSchema(tables: [old]) }
        try start { $0.autoSchema(tables: [new]) }
        try run("INSERT INTO notes (id, a) VALUES ('1', '')")
        try start { $0.autoSchema(tables: [new]) }
        #expect(try fetch("SELECT id FROM notes WHERE b IS NULL").isEmpty)
    }

    /// To make them texts changes rows, and not the schema.
    @Test func idsOfBytesAreLookedAtUntilTheyAreTexts() throws {
        let describe = { (schema: inout AppMigrations) in
            _ = schema.autoSchema(tables: [Self.table(name: "users")])
        }
        try run("CREATE TABLE users (id BLOB PRIMARY KEY); INSERT INTO users VALUES (x'61')")
        try start(Options(), describe)
        try run("UPDATE users SET id = 'a'")
        try start(Options(), describe)
        #expect(try fetch("SELECT type FROM pragma_table_info('users')") == ["TEXT"])
        #expect(try !looksAtEverything(Options(), describe))
    }

    // MARK: - Files that cannot be written

    @Test func aReadOnlyStoreStartsWithANoteAndWithout() throws {
        try start()
        var configuration = Configuration()
        configuration.readonly = true
        var schema = AppMigrations()
        Self.describe(&schema)
        for _ in 0..<2 {
            let pool = try GRDB.DatabasePool(path: url.path, configuration: configuration)
            try schema.run(on: pool)
            try pool.close()
            try run("DELETE FROM grdb_migrations WHERE identifier LIKE 'storage_schema_checked:%'")
        }
        #expect(try notes().isEmpty)
    }

    @Test func aStartDoesNotWaitForTheWriterToLeaveItsNote() throws {
        try start()
        try run("DELETE FROM grdb_migrations WHERE identifier LIKE 'storage_schema_checked:%'")
        let writer = try DatabaseQueue(path: url.path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        var schema = AppMigrations()
        Self.describe(&schema)
        let pool = try GRDB.DatabasePool(path: url.path, configuration: configuration)
        let start = ContinuousClock.now
        try writer.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            try schema.run(on: pool)
            try db.execute(sql: "ROLLBACK")
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(try notes().isEmpty)
        try schema.run(on: pool)
        #expect(try notes().count == 1)
    }

    /// Nothing is noted of a file that fails.
    @Test func aMigrationThatFailsLeavesNoNote() throws {
        struct Failure: Error {}
        #expect(throws: StorageError.self) {
            try start { schema in
                Self.describe(&schema)
                schema.migration("fails") { _ in throw Failure() }
            }
        }
        #expect(try fetch("SELECT name FROM sqlite_master").isEmpty)
        try start()
        #expect(try !looksAtEverything())
    }
}
