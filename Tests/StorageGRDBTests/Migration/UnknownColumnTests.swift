import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Columns that the file has and the model does not know.
@Suite struct UnknownColumnTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    enum V1 {
        @StorageEntity(table: "people")
        struct Person {
            var id: String
            var name: String
        }
    }

    enum V2 {
        @StorageEntity(table: "people")
        struct Person {
            var id: String
            var name: String
            var phone: String
            var pets: [String]
            var level = 3
        }
    }

    enum V3 {
        @StorageEntity(table: "people")
        struct Person {
            var id: String
            var name: String
            var key: UUID
        }
    }

    enum V4 {
        @StorageEntity(table: "people")
        struct Person {
            var id: String
            var name: String
            var note: String?
        }
    }

    private static func v1(_ schema: inout AppMigrations) { schema.autoSchema(V1.PersonRecord.self) }
    private static func v2(_ schema: inout AppMigrations) { schema.autoSchema(V2.PersonRecord.self) }
    private static func v3(_ schema: inout AppMigrations) { schema.autoSchema(V3.PersonRecord.self) }

    private func start(_ schema: (inout AppMigrations) -> Void) throws -> StorageKit.Context {
        try StorageKit.start(at: folder.file(), options: .init(clock: clock), schema: schema)
    }

    private let ada = V2.Person(id: "ada", name: "Ada", phone: "1", pets: ["cat"], level: 5)

    private func rows(_ context: StorageKit.Context, _ sql: String) async throws -> [String] {
        try await context.storage.dbActor.read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map { "\($0.storage.value ?? "NULL")" }.joined(separator: " ")
            }
        }
    }

    private func unknownColumn(_ body: () throws -> Void) -> SchemaConflictError? {
        let error = #expect(throws: StorageError.self) { try body() }
        guard case .migrationFailed(_, let underlying) = error else { return nil }
        return underlying as? SchemaConflictError
    }

    // MARK: A property that is gone

    @Test func aPropertyThatIsGoneDoesNotStopSaves() async throws {
        let before = try start(Self.v2)
        try await before.facade.save(ada)
        try await before.close()
        let after = try start(Self.v1)
        try await after.facade.save(V1.Person(id: "ada", name: "Ada L."))
        try await after.facade.save([V1.Person(id: "bob", name: "Bob")])
        #expect(try await after.facade.count(V1.Person.self) == 2)
        let found = try await rows(after, "SELECT name, phone, pets, level FROM people ORDER BY id")
        #expect(found == [#"Ada L. 1 ["cat"] 5"#, "Bob NULL NULL NULL"])
    }

    @Test func theTableKeepsItsTextButForTheClauses() async throws {
        try await start(Self.v2).close()
        let found = try await rows(start(Self.v1), "SELECT sql FROM sqlite_master WHERE name = 'people'")
        let columns = #"("id" TEXT PRIMARY KEY, "name" TEXT NOT NULL, "phone" TEXT, "pets" TEXT, "level" INTEGER, "#
        #expect(found == [#"CREATE TABLE "people" "# + columns + #""updatedAt" DATETIME NOT NULL)"#])
    }

    @Test func aFileOfAnEarlierVersionOfStorageKitIsMended() async throws {
        try await start(Self.v2).close()
        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.write { try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '%:%'") }
        try queue.close()
        let context = try start(Self.v1)
        try await context.facade.save(V1.Person(id: "1", name: "Ada"))
    }

    @Test func aColumnThatAMigrationHasRenamedIsMended() async throws {
        try await start(Self.v1).close()
        let renaming: (inout AppMigrations) -> Void = { schema in
            schema.migration("rename") { db in
                guard try db.columns(in: "people").contains(where: { $0.name == "name" }) else { return }
                try db.execute(sql: "ALTER TABLE people RENAME COLUMN name TO phone")
            }
        }
        try await start { schema in
            renaming(&schema)
            Self.v2(&schema)
        }.close()
        let context = try start { $0.autoSchema(V4.PersonRecord.self) }
        try await context.facade.save(V4.Person(id: "1", name: "Ada", note: nil))
    }

    @Test func thePlanAndTheLogSayWhatIsDone() async throws {
        try await start(Self.v2).close()
        let lines = Mutex<[String]>([])
        var schema = AppMigrations()
        Self.v1(&schema)
        schema.setOptions(Options(logger: { line in lines.withLock { $0.append(line) } }))
        let queue = try DatabaseQueue(path: folder.file().path)
        let before = try DatabaseDump(of: folder.file())
        let plan = try schema.plan(on: queue)
        #expect(try DatabaseDump(of: folder.file()) == before)
        #expect(plan.operations == ["phone", "pets", "level"].map { .makeNullable(column: $0, table: "people") })
        #expect(plan.differences.map(\.kind) == [.columnNotInModel, .columnNotInModel, .columnNotInModel])
        #expect(plan.differences.allSatisfy { !$0.preventsInserts })
        try schema.run(on: queue)
        let line = "Let column 'phone' of 'people' take NULL, since the model does not know it"
        #expect(plan.description.hasPrefix(line))
        #expect(lines.withLock { $0.contains(line) })
        #expect(try schema.plan(on: queue).operations == [])
    }

    @Test func aStoreThatOnlyReadsNeedsNoMend() async throws {
        let before = try start(Self.v2)
        try await before.facade.save(ada)
        try await before.close()
        var options = StorageKit.StartOptions()
        options.pool.configure = { $0.readonly = true }
        let context = try StorageKit.start(at: folder.file(), options: options, schema: Self.v1)
        #expect(try await context.facade.all(V1.Person.self) == [V1.Person(id: "ada", name: "Ada")])
    }

    // MARK: Two versions on one file

    @Test func anOlderVersionSavesIntoANewerFileAndTheNewerReadsTheRows() async throws {
        let newer = try start(Self.v2)
        try await newer.facade.save(ada)
        try await newer.close()
        let older = try start(Self.v1)
        try await older.facade.save(V1.Person(id: "bob", name: "Bob"))
        try await older.close()
        let again = try start(Self.v2)
        let bob = V2.Person(id: "bob", name: "Bob", phone: "", pets: [], level: 3)
        #expect(try await again.facade.all(V2.Person.self, orderBy: "id") == [ada, bob])
        #expect(try await again.facade.query(V2.Person.self).where { $0.phone == "" }.fetch() == [bob])
    }

    @Test func aStartThatHasFilledTheRowsHasNothingToDoAgain() async throws {
        try await start(Self.v2).close()
        let older = try start(Self.v1)
        try await older.facade.save(V1.Person(id: "bob", name: "Bob"))
        try await older.close()
        var schema = AppMigrations()
        Self.v2(&schema)
        let queue = try DatabaseQueue(path: folder.file().path)
        let lines = try schema.plan(on: queue).operations.map(\.description)
        #expect(lines.count == 3)
        #expect(lines.first == #"Fill column 'phone' of 'people' where it is NULL: "phone" TEXT NOT NULL DEFAULT ''"#)
        try schema.run(on: queue)
        #expect(try schema.plan(on: queue).operations == [])
    }

    @Test func aRowForWhichThereIsNoValueIsAnErrorAndChangesNothing() async throws {
        try await start(Self.v3).close()
        let older = try start(Self.v1)
        try await older.facade.save(V1.Person(id: "bob", name: "Bob"))
        try await older.close()
        let before = try DatabaseDump(of: folder.file())
        let error = #expect(throws: StorageError.self) { try start(Self.v3) }
        guard case .migrationFailed(_, let cause as MissingValueError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(cause.column == "key")
        #expect(try DatabaseDump(of: folder.file()) == before)
    }

    @Test func whyNothingCanBePutInTheRowsOfAnOlderVersionIsTold() async throws {
        try await start(Self.v3).close()
        let older = try start(Self.v1)
        try await older.facade.save(V1.Person(id: "bob", name: "Bob"))
        try await older.close()
        let error = #expect(throws: StorageError.self) { try start(Self.v3) }
        guard case .migrationFailed(_, let cause as MissingValueError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        guard case .nulls = cause.reason else {
            Issue.record("unexpected: \(cause)")
            return
        }
        #expect(cause.localizedDescription.hasPrefix("rows of 'people' have NULL in 'key', which some version"))
    }

    @Test func aColumnOfTheAppsThatTakesNullIsNotFilled() throws {
        let adopting: (inout AppMigrations) -> Void = { schema in
            schema.migration("own") { db in
                try db.execute(sql: "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT)")
                try db.execute(sql: "INSERT INTO people VALUES ('1', NULL)")
            }
            Self.v1(&schema)
        }
        let error = #expect(throws: StorageError.self) { try start(adopting) }
        guard case .migrationFailed(_, let cause as SchemaConflictError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(cause == SchemaConflictError(table: "people", columns: ["name"], reason: .nulls(rows: 1)))
    }

    // MARK: Columns made by hand

    /// The words of auto-schema too, which a migration may use.
    @Test(arguments: [#""legacy" TEXT NOT NULL"#, "legacy INTEGER NOT NULL CHECK (legacy > 0)"])
    func aColumnMadeByHandIsATypedError(definition: String) throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        try queue.inDatabase {
            try $0.execute(sql: "CREATE TABLE people (\"id\" TEXT PRIMARY KEY, \"name\" TEXT NOT NULL, \(definition))")
        }
        let before = try DatabaseDump(of: folder.file())
        let error = unknownColumn { _ = try start(Self.v1) }
        #expect(error == SchemaConflictError(table: "people", columns: ["legacy"], reason: .unknownColumn))
        #expect(error?.localizedDescription.contains("drop it or give it a default in a migration") == true)
        #expect(try DatabaseDump(of: folder.file()) == before)
    }

    @Test(arguments: ["TEXT", "INTEGER"])
    func aPartOfAKeyByHandThatNoRowMayLeaveOutIsATypedError(type: String) throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        try queue.inDatabase {
            try $0.execute(
                sql: """
                    CREATE TABLE people (tenant \(type) NOT NULL, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
                        updatedAt DATETIME NOT NULL, PRIMARY KEY (tenant, id))
                    """)
        }
        let error = unknownColumn { _ = try start(Self.v1) }
        #expect(error == SchemaConflictError(table: "people", columns: ["tenant"], reason: .unknownColumn))
    }

    @Test func aPartOfAKeyByHandThatHasADefaultDoesNotStopSaves() throws {
        let file = try ModelFile()
        try file.execute(
            """
            CREATE TABLE notes (tenant TEXT NOT NULL DEFAULT 'x', id TEXT NOT NULL UNIQUE, PRIMARY KEY (tenant, id))
            """)
        try file.start(TableSchema(name: "notes", columns: [.id]))
        try file.execute("INSERT INTO notes (id) VALUES ('1')")
    }

    @Test(arguments: ["n INTEGER NOT NULL PRIMARY KEY DESC", "n INTEGER PRIMARY KEY"])
    func aNumberAsKeyThatSQLiteDoesNotGiveIsATypedError(key: String) throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        let options = key.hasSuffix("DESC") ? "" : "WITHOUT ROWID"
        try queue.inDatabase {
            try $0.execute(
                sql: """
                    CREATE TABLE people (\(key), id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, updatedAt DATETIME NOT NULL)
                    \(options)
                    """)
        }
        let error = unknownColumn { _ = try start(Self.v1) }
        #expect(error == SchemaConflictError(table: "people", columns: ["n"], reason: .unknownColumn))
    }

    @Test func aDefaultOfNullIsNone() async throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    CREATE TABLE people (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, phone TEXT DEFAULT NULL, pets TEXT NOT NULL,
                        level INTEGER NOT NULL, updatedAt DATETIME NOT NULL)
                    """)
        }
        try await start(Self.v2).close()
        let context = try start(Self.v1)
        try await context.facade.save(V1.Person(id: "bob", name: "Bob"))
        #expect(try await context.facade.count(V1.Person.self) == 1)
    }

    @Test func aTableThatWasAdoptedByAnEarlierVersionOfStorageKitIsNotTakenForItsOwn() throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        try queue.inDatabase {
            try $0.execute(
                sql: """
                    CREATE TABLE "people" ("id" TEXT PRIMARY KEY, "name" TEXT NOT NULL, "legacy" TEXT NOT NULL);
                    ALTER TABLE people ADD COLUMN "updatedAt" DATETIME NOT NULL DEFAULT '2026-01-01 00:00:00.000';
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('auto_schema_0badcafe');
                    """)
        }
        #expect(unknownColumn { _ = try start(Self.v1) }?.columns == ["legacy"])
    }

    /// Its start kept no columns of models.
    @Test func aColumnOfAnEarlyVersionIsKnownAfterAReferenceWasAddedToIt() throws {
        let file = try ModelFile()
        let teams = TableSchema(name: "teams", columns: [.id])
        let notes = TableSchema(name: "notes", columns: [.id, .text("teamId")])
        try file.start(teams, notes)
        try file.execute("DELETE FROM grdb_migrations WHERE identifier LIKE 'storage_schema_%'")
        try file.start(
            teams,
            TableSchema(
                name: "notes", columns: notes.columns, references: [ReferenceSchema(column: "teamId", table: "teams")]))
        try file.start(teams, TableSchema(name: "notes", columns: [.id]))
        try file.execute("INSERT INTO notes (id) VALUES ('1')")
    }

    @Test func aMigrationBehindAutoSchemaMaySeeToTheColumn() async throws {
        let context = try start { schema in
            schema.migration("own") { db in
                try db.execute(
                    sql: "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, legacy TEXT NOT NULL)")
            }
            Self.v1(&schema)
            schema.migration("drop") { try $0.execute(sql: "ALTER TABLE people DROP COLUMN legacy") }
        }
        try await context.facade.save(V1.Person(id: "1", name: "Ada"))
    }

    @Test func aColumnOfAnotherRecordOfTheTableStaysAsItIs() async throws {
        let both: (inout AppMigrations) -> Void = { schema in
            schema.autoSchema(V2.PersonRecord.self)
            schema.autoSchema(V1.PersonRecord.self)
        }
        let found = try await rows(
            start(both), "SELECT \"notnull\" FROM pragma_table_info('people') WHERE name = 'phone'")
        #expect(found == ["1"])
    }

    @Test func aPropertyThatOneOfTwoRecordsOfATableHadDoesNotStopSaves() async throws {
        let file = try ModelFile()
        let body = TableSchema(name: "notes", columns: [.id, .text("body")])
        let more = TableSchema(name: "notes", columns: [.id, .text("body"), .text("more")])
        try file.start(body, more)
        try file.start(body)
        try file.execute("INSERT INTO notes (id, body) VALUES ('1', 'x')")
    }

    @Test func aTableGivesItsIdsIfOneOfItsRecordsSaysSo() throws {
        let id = ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)
        let file = try ModelFile()
        try file.start(
            TableSchema(name: "notes", columns: [id]), TableSchema(name: "notes", columns: [id], givesIds: true))
        #expect(try file.sql("notes")?.contains("AUTOINCREMENT") == true)
    }

    @Test func aPropertyThatTheFileSpellsInOtherLettersAndThatIsGoneDoesNotStopSaves() throws {
        let file = try ModelFile()
        try file.execute("CREATE TABLE notes (id TEXT PRIMARY KEY, phone TEXT NOT NULL)")
        try file.start(TableSchema(name: "notes", columns: [.id, .text("Phone")]))
        try file.start(TableSchema(name: "notes", columns: [.id]))
        try file.execute("INSERT INTO notes (id) VALUES ('1')")
    }

    @Test func aPropertyWithAQuotationMarkInItsNameThatIsGoneDoesNotStopSaves() throws {
        let file = try ModelFile()
        try file.start(TableSchema(name: "notes", columns: [.id, .text("so \"called\"")]))
        try file.start(TableSchema(name: "notes", columns: [.id]))
        try file.execute("INSERT INTO notes (id) VALUES ('1')")
    }
}
