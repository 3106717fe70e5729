import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// References that point nowhere, after migrations and before them.
@Suite struct BrokenReferencesTests {
    private let folder: TemporaryFolder
    private let pool: GRDB.DatabasePool

    init() throws {
        folder = try TemporaryFolder()
        pool = try GRDB.DatabasePool(path: folder.file().path)
    }

    private func migrate(_ sql: String...) throws {
        var schema = AppMigrations()
        for (index, sql) in sql.enumerated() { schema.migration("\(index)") { try $0.execute(sql: sql) } }
        try schema.run(on: pool)
    }

    private func execute(_ sql: String) throws {
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; \(sql); PRAGMA foreign_keys = ON")
        }
    }

    /// Row 1 refers to 7, which is not there.
    private func makeBrokenTable(_ options: String = "") throws {
        try execute(
            "CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1);"
                + "CREATE TABLE c (id TEXT PRIMARY KEY, p INTEGER REFERENCES p(id)) \(options);"
                + "INSERT INTO c VALUES ('a', 7), ('b', 1)")
    }

    @Test func aMigrationThatBreaksAForeignKeyFails() throws {
        try execute(
            "CREATE TABLE p (id PRIMARY KEY); CREATE TABLE c (p REFERENCES p(id)); INSERT INTO p VALUES (1);"
                + "INSERT INTO c VALUES (1)")
        #expect(throws: StorageError.self) {
            try migrate("DELETE FROM p")
        }
        #expect(try pool.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM p") } == 1)
    }

    private func users(_ name: String = "users", referringTo parent: String?) -> TableSchema {
        TableSchema(
            name: name, columns: [.id, .text("teamId")],
            references: parent.map { [ReferenceSchema(column: "teamId", table: $0)] } ?? [])
    }

    private func teams(_ name: String) -> TableSchema { TableSchema(name: name, columns: [.id]) }

    /// User 1 refers to team t.
    private func oneUser() throws -> ModelFile {
        let file = try ModelFile()
        try file.start(teams("teams"), users(referringTo: "teams"))
        try file.execute("INSERT INTO teams VALUES ('t'); INSERT INTO users VALUES ('1', 't')")
        return file
    }

    @Test func aMigrationMayBreakAReferenceThatTheModelNoLongerHas() throws {
        let file = try oneUser()
        try file.start(teams("squads"), users(referringTo: "squads")) {
            $0.migration("squads") { db in
                try db.execute(
                    sql: "INSERT INTO squads SELECT 's' || id FROM teams; UPDATE users SET teamId = 's' || teamId")
            }
        }
        #expect(
            try file.values("SELECT \"table\", \"from\" FROM pragma_foreign_key_list('users')") == ["squads teamId"])
        #expect(try file.values("PRAGMA foreign_key_check") == [])
        try file.start(users(referringTo: nil)) { $0.migration("gone") { try $0.execute(sql: "DROP TABLE squads") } }
        #expect(try file.values("SELECT count(*) FROM pragma_foreign_key_list('users')") == ["0"])
        #expect(try file.values("SELECT teamId FROM users") == ["st"])
    }

    @Test func theTableOfSuchAReferenceMayGetItsNewNameInTheSameStart() throws {
        let file = try oneUser()
        var schema = AppMigrations()
        schema.migration("gone") { try $0.execute(sql: "DROP TABLE teams") }
        schema.autoSchema(tables: [
            TableSchema(name: "members", columns: [.id, .text("teamId")], formerNames: ["users"])
        ])
        try schema.run(on: file.queue)
        #expect(try file.values("SELECT teamId FROM members") == ["t"])
    }

    @Test func whatWasBrokenBeforeIsNoExcuseForWhatTheModelHas() throws {
        let file = try ModelFile()
        try file.start(
            teams("teams"), users(referringTo: "teams"), users("orders", referringTo: "teams"))
        try file.execute(
            """
            INSERT INTO teams VALUES ('t'); INSERT INTO orders VALUES ('1', 't'); PRAGMA foreign_keys = OFF;
            INSERT INTO users VALUES ('1', 't'), ('2', 'v'); PRAGMA foreign_keys = ON
            """)
        let error = try file.refuse(
            teams("teams"), users(referringTo: nil), users("orders", referringTo: "teams")
        ) {
            $0.migration("gone") { try $0.execute(sql: "UPDATE orders SET teamId = 'v'; DELETE FROM teams") }
        }
        #expect((error as? ForeignKeysBrokenError)?.table == "orders")
    }

    @Test func aMigrationMayNotBreakOneThatTheModelHas() throws {
        let file = try oneUser()
        let error = try file.refuse(teams("teams"), users(referringTo: "teams")) {
            $0.migration("other") { try $0.execute(sql: "UPDATE users SET teamId = 'x'") }
        }
        #expect((error as? ForeignKeysBrokenError)?.table == "users")
    }

    @Test(arguments: [
        [
            TableSchema(name: "squads", columns: [.id], formerNames: ["teams"]),
            TableSchema(
                name: "users", columns: [.id, .text("teamId")],
                references: [ReferenceSchema(column: "teamId", table: "squads")]),
        ],
        [
            TableSchema(name: "teams", columns: [.id]),
            TableSchema(
                name: "users", columns: [.id, .text("squadId")],
                references: [ReferenceSchema(column: "squadId", table: "teams")],
                formerColumnNames: ["squadId": ["teamId"]]),
        ],
        [
            TableSchema(
                name: "teams", columns: [ColumnSchema(name: "key", type: "TEXT", notNull: true, primaryKey: true)],
                formerColumnNames: ["key": ["id"]]),
            TableSchema(
                name: "users", columns: [.id, .text("teamId")],
                references: [ReferenceSchema(column: "teamId", table: "teams", key: "key")]),
        ],
    ])
    func aMigrationMayNotBreakOneThatOnlyGetsANewName(tables: [TableSchema]) throws {
        let file = try oneUser()
        var schema = AppMigrations()
        schema.migration("purge") { try $0.execute(sql: "DELETE FROM teams") }
        schema.autoSchema(tables: tables)
        let error = #expect(throws: StorageError.self) { try schema.run(on: file.queue) }
        guard case .migrationFailed("purge", let broken as ForeignKeysBrokenError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(broken == ForeignKeysBrokenError(table: "users", parent: "teams", rows: 1))
    }

    @Test func brokenReferencesThatWereThereBeforeDoNotStopAMigration() throws {
        try makeBrokenTable()
        try migrate("CREATE TABLE x (y)")
    }

    @Test func ofSeveralThatReferToOneMissingRowNoneStopsAMigration() throws {
        try makeBrokenTable()
        try execute("INSERT INTO c VALUES ('d', 7), ('e', 7)")
        try migrate("CREATE TABLE x (y)")
        #expect(throws: StorageError.self) {
            try migrate("CREATE TABLE x (y)", "INSERT INTO c VALUES ('f', 7)")
        }
    }

    @Test func referencesThatCannotBeCheckedDoNotStopAMigrationUnlessItMadeThem() throws {
        let mismatch = "CREATE TABLE p (id PRIMARY KEY, x); CREATE TABLE c (p REFERENCES p(x))"
        let error = #expect(throws: StorageError.self) {
            try migrate(mismatch)
        }
        #expect(error?.localizedDescription.contains(#"foreign key mismatch - "c" referencing "p""#) == true)
        try pool.write { try $0.execute(sql: mismatch) }
        try migrate("CREATE TABLE x (y)")
    }

    @Test func aReferenceWhoseCollationOnlyAnotherProgramHasDoesNotStopAMigration() throws {
        let other = try GRDB.DatabaseQueue(path: folder.file().path)
        try other.writeWithoutTransaction { db in
            db.add(collation: DatabaseCollation("odd") { $0.compare($1) })
            try db.execute(
                sql: """
                    CREATE TABLE p (name TEXT COLLATE odd PRIMARY KEY); CREATE TABLE c (p REFERENCES p(name));
                    INSERT INTO p VALUES ('a'); INSERT INTO c VALUES ('a')
                    """)
        }
        try other.close()
        try migrate("CREATE TABLE x (y)")
        #expect(throws: StorageError.self) {
            try migrate("CREATE TABLE x (y)", "CREATE TABLE d (p REFERENCES p(name))")
        }
    }

    private static let rebuild = """
        CREATE TABLE c_new (name TEXT, p TEXT REFERENCES p(id));
        INSERT INTO c_new SELECT id, p FROM c ORDER BY id DESC;
        DROP TABLE c; ALTER TABLE c_new RENAME TO c
        """

    @Test(arguments: [
        "ALTER TABLE c RENAME TO d", "ALTER TABLE p RENAME TO q", "ALTER TABLE c RENAME COLUMN p TO q", rebuild,
        "UPDATE c SET p = p + 1 WHERE id = 'a'",
    ])
    func aBrokenReferenceThatAMigrationCarriesAlongDoesNotStopIt(sql: String) throws {
        try makeBrokenTable()
        try migrate(sql)
    }

    @Test(arguments: ["ALTER TABLE c RENAME TO d", "ALTER TABLE p RENAME TO q", rebuild])
    func aBrokenReferenceOfATableWithoutRowidsDoesNotStopAMigration(sql: String) throws {
        try makeBrokenTable("WITHOUT ROWID")
        try migrate(sql)
    }

    @Test func aMigrationThatMendsAReferenceAndBreaksAnotherFails() throws {
        try makeBrokenTable()
        let error = #expect(throws: StorageError.self) {
            try migrate("UPDATE c SET p = CASE id WHEN 'a' THEN 1 ELSE 8 END")
        }
        guard case .migrationFailed(_, let broken as ForeignKeysBrokenError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(broken == ForeignKeysBrokenError(table: "c", parent: "p", rows: 1))
    }

    @Test func keysOfTwoColumnsWithTheSameLettersInAllAreNotTakenForOne() throws {
        try execute(
            "CREATE TABLE p (a, b, PRIMARY KEY (a, b)); INSERT INTO p VALUES ('x', 'y');"
                + "CREATE TABLE c (a, b, FOREIGN KEY (a, b) REFERENCES p);"
                + "INSERT INTO c VALUES ('a', 'bc'), ('x', 'y')")
        #expect(throws: StorageError.self) {
            try migrate("DELETE FROM c WHERE a = 'a'; UPDATE c SET a = 'ab', b = 'c'")
        }
    }

    @Test func aMigrationThatMovesABrokenReferenceAndBreaksAnotherFails() throws {
        try makeBrokenTable()
        #expect(throws: StorageError.self) { try migrate("UPDATE c SET p = CASE id WHEN 'a' THEN 8 ELSE 7 END") }
    }

    @Test func aMigrationThatBreaksWhatTheOneBeforeItMendedFails() throws {
        try makeBrokenTable()
        #expect(throws: StorageError.self) {
            try migrate("UPDATE c SET p = 1", "UPDATE c SET p = 7 WHERE id = 'a'")
        }
    }

    @Test func aTableThatCannotBeCheckedMayBeRenamed() throws {
        try execute("CREATE TABLE p (id PRIMARY KEY, x); CREATE TABLE c (p REFERENCES p(x))")
        try migrate("ALTER TABLE c RENAME TO d")
    }

    @Test func aMigrationThatMakesASecondTableUncheckableFails() throws {
        try execute("CREATE TABLE p (id PRIMARY KEY, x); CREATE TABLE c (p REFERENCES p(x))")
        #expect(throws: StorageError.self) { try migrate("CREATE TABLE d (p REFERENCES p(x))") }
    }

    // MARK: - What it costs to look

    /// How often a start reads all references of the one table that has any.
    private func looks(
        of file: ModelFile, _ tables: TableSchema..., and more: (inout AppMigrations) -> Void = { _ in }
    ) throws -> Int {
        let looks = Mutex(0)
        file.queue.inDatabase { db in
            db.trace { event in
                guard case .statement(let statement) = event else { return }
                if statement.sql.contains("pragma_foreign_key_check") { looks.withLock { $0 += 1 } }
            }
        }
        try ModelFile.schema(tables, more).run(on: file.queue)
        file.queue.inDatabase { $0.trace() }
        return looks.withLock { $0 }
    }

    private func users(_ columns: [ColumnSchema], _ indexes: IndexSchema..., references: String...) -> TableSchema {
        TableSchema(
            name: "users", columns: [.id, .text("teamId")] + columns, indexes: indexes,
            references: (["teamId"] + references).map { ReferenceSchema(column: $0, table: "teams") })
    }

    @Test func aStartThatAddsColumnsAndIndexesReadsNoReferences() throws {
        let file = try oneUser()
        let columns: [ColumnSchema] = [.text("note", notNull: false), .text("name")]
        #expect(try looks(of: file, teams("teams"), users(columns)) == 0)
        #expect(try looks(of: file, teams("teams"), users(columns, IndexSchema(["name"]))) == 0)
        #expect(try file.values("SELECT * FROM users") == ["1 t NULL "])
    }

    @Test func aStartReadsTheReferencesOnceBeforeItsMigrationsAndOnceBehindEachThatChangesSomething() throws {
        let file = try oneUser()
        let looks = try looks(of: file, teams("teams"), users(referringTo: "teams")) {
            $0.migration("nothing") { _ in }
            $0.migration("row") { try $0.execute(sql: "UPDATE users SET teamId = teamId") }
            $0.migration("nothing again") { try $0.execute(sql: "DELETE FROM users WHERE id = 'none'") }
            $0.migration("table") { try $0.execute(sql: "CREATE TABLE other (id)") }
        }
        #expect(looks == 3)
    }

    @Test func aStartThatAddsAReferenceOrAUniqueKeyReadsThemBeforeAndAfter() throws {
        let file = try oneUser()
        let columns: [ColumnSchema] = [.text("otherId", notNull: false)]
        #expect(try looks(of: file, teams("teams"), users(columns, references: "otherId")) == 2)
        let key = IndexSchema(["otherId"], isUnique: true)
        #expect(try looks(of: file, teams("teams"), users(columns, key, references: "otherId")) == 2)
    }
}
