import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// What hangs on a table that is made anew.
@Suite struct TableRebuildTests {
    private let folder: TemporaryFolder
    private let queue: GRDB.DatabaseQueue

    init() throws {
        folder = try TemporaryFolder()
        queue = try GRDB.DatabaseQueue(path: folder.file().path)
    }

    /// Makes the file by hand, then lets a version of the app know the column `old`, and the next one no longer.
    private func dropProperty(_ sql: String, id: ColumnSchema = .id, fullText: Bool = false) throws -> (
        DatabaseDump, DatabaseDump
    ) {
        try queue.inDatabase { try $0.execute(sql: sql) }
        func schema(_ columns: ColumnSchema...) -> AppMigrations {
            var schema = AppMigrations()
            schema.autoSchema(tables: [TableSchema(name: "users", columns: columns)])
            if fullText { schema.addFullTextSearch(table: "users", columns: ["name"]) }
            return schema
        }
        try schema(id, .text("name"), .text("old")).run(on: queue)
        let before = try dump()
        let next = schema(id, .text("name"))
        try next.run(on: queue)
        #expect(try next.plan(on: queue).operations == [])
        #expect(try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
        return (before, try dump())
    }

    @Test func aTemporaryTableOfItsNameDrawsNothing() throws {
        let (before, after) = try dropProperty(
            """
            CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, old TEXT NOT NULL);
            CREATE INDEX users_name ON users (name);
            CREATE TRIGGER users_named AFTER UPDATE OF name ON users BEGIN UPDATE users SET id = id; END;
            CREATE TEMP TABLE users (x)
            """)
        #expect(before != after)
        #expect(
            try queue.read {
                try String.fetchAll(
                    $0, sql: "SELECT name FROM main.sqlite_master WHERE sql IS NOT NULL AND tbl_name = 'users'")
            } == ["users", "users_name", "users_named"])
    }

    @Test func whatIsKnownOfItsIndexesCountsStill() throws {
        try queue.inDatabase { db in
            try db.execute(
                sql: """
                    CREATE TABLE Users (id TEXT PRIMARY KEY, name TEXT NOT NULL, old TEXT NOT NULL);
                    CREATE INDEX users_name ON users (name);
                    CREATE INDEX users_old ON users (old);
                    CREATE TABLE others (id TEXT PRIMARY KEY);
                    INSERT INTO others VALUES ('1');
                    ANALYZE;
                    INSERT INTO sqlite_stat1 VALUES
                        ('Users', 'users_name', '1000000 2'), ('Users', 'users_old', '1000000 1000000'), ('Users', NULL, '1000000')
                    """)
        }
        let sql = "SELECT tbl || ' ' || ifnull(idx, '-') || ' ' || stat FROM sqlite_stat1 ORDER BY tbl, idx"
        let known = try values(sql)
        #expect(known.count == 4)
        _ = try dropProperty("")
        #expect(try values(sql) == known)
        // Also to the connection that made the table anew.
        let plan = try queue.inDatabase { db in
            try String.fetchOne(
                db, sql: "EXPLAIN QUERY PLAN SELECT * FROM users WHERE name = 'A' AND old = 'x'",
                adapter: SuffixRowAdapter(fromIndex: 3))
        }
        #expect(plan?.contains("users_name") == true)
    }

    /// All but the record of migrations.
    private func dump() throws -> DatabaseDump {
        try queue.inDatabase { db in
            var dump: DatabaseDump?
            try db.inTransaction {
                try db.execute(sql: "DELETE FROM grdb_migrations")
                dump = try DatabaseDump(db)
                return .rollback
            }
            return try #require(dump)
        }
    }

    private func values(_ sql: String) throws -> [String] {
        try queue.read { try String.fetchAll($0, sql: sql) }
    }

    private static let plain = """
        CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, old TEXT NOT NULL);
        INSERT INTO users (rowid, id, name, old) VALUES (3, 'c', 'C', 'x'), (9, 'a', 'A', 'y');

        """

    /// What becomes of the table, in which `old TEXT NOT NULL` stands once.
    @Test(arguments: [
        "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, old TEXT NOT NULL)",
        "CREATE TABLE 'users' (id TEXT PRIMARY KEY, name TEXT NOT NULL, old TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE [users] (id TEXT PRIMARY KEY, name TEXT NOT NULL, old TEXT NOT NULL) STRICT",
        "CREATE TABLE Users (id TEXT PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, old TEXT NOT NULL UNIQUE, CHECK (users.name IS NOT NULL))",
        "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT 'n', old TEXT NOT NULL, twice AS (name || name) STORED)",
        "CREATE TABLE users (id TEXT PRIMARY KEY, -- the key\n name TEXT NOT NULL, old TEXT NOT NULL /* gone, (soon */)",
        "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, old TEXT NOT NULL, boss TEXT REFERENCES users (id))",
    ])
    func itsTextStaysButForTheClauseAndItsRowsStay(sql: String) throws {
        let (before, after) = try dropProperty(
            "\(sql); INSERT INTO users (id, name, old) VALUES ('1', 'A', 'x'), ('0', 'B', 'y')")
        let expected = before.text.replacingOccurrences(of: "old TEXT NOT NULL", with: "old TEXT")
        #expect(after.text == expected)
    }

    @Test func rowidsStay() throws {
        _ = try dropProperty(Self.plain)
        #expect(try values("SELECT rowid || id || old FROM users ORDER BY rowid") == ["3cx", "9ay"])
    }

    @Test(arguments: ["users", "Users"]) func idsThatSQLiteHasGivenAreNotGivenAgain(name: String) throws {
        let sql = """
            CREATE TABLE \(name) (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, old TEXT NOT NULL);
            INSERT INTO users VALUES (7, 'A', 'x'), (8, 'B', 'y');
            DELETE FROM users WHERE id = 8;
            """
        _ = try dropProperty(sql, id: ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true))
        try queue.write { try $0.execute(sql: "INSERT INTO users (name) VALUES ('C')") }
        #expect(try values("SELECT id || name FROM users ORDER BY id") == ["7A", "9C"])
    }

    @Test(arguments: ["users", "Users"])
    func indexesTriggersViewsAndReferencesStayWordForWord(name: String) throws {
        let (before, after) = try dropProperty(
            Self.plain.replacingOccurrences(of: "TABLE users", with: "TABLE \(name)") + """
                CREATE TABLE posts (id TEXT PRIMARY KEY, author TEXT REFERENCES users (id) ON DELETE CASCADE);
                INSERT INTO posts VALUES ('p', 'a');
                CREATE UNIQUE INDEX by_old ON users (old COLLATE NOCASE) WHERE name <> '';
                CREATE VIEW names AS SELECT name, old FROM users;
                CREATE VIEW broken AS SELECT x FROM nowhere;
                CREATE TABLE log (line TEXT);
                CREATE TRIGGER own AFTER INSERT ON users BEGIN INSERT INTO log VALUES ('own ' || new.id); END;
                CREATE TRIGGER other AFTER INSERT ON posts BEGIN UPDATE users SET name = 'P' WHERE id = new.author; END;
                CREATE TRIGGER viewed INSTEAD OF INSERT ON names
                BEGIN INSERT INTO users (id, name) VALUES (new.name, new.name); END;
                """)
        #expect(after.text == before.text.replacingOccurrences(of: "old TEXT NOT NULL", with: "old TEXT"))
        try queue.write {
            try $0.execute(sql: "INSERT INTO names (name) VALUES ('v'); INSERT INTO posts VALUES ('q', 'v')")
        }
        #expect(try values("SELECT line FROM log") == ["own v"])
        #expect(try values("SELECT name FROM users WHERE id = 'v'") == ["P"])
    }

    @Test func itsTriggersInTempStay() throws {
        try queue.inDatabase {
            try $0.execute(
                sql: Self.plain + """
                    CREATE TABLE log (line TEXT);
                    ATTACH ':memory:' AS aside;
                    CREATE TABLE aside.users (id TEXT);
                    CREATE TEMP TRIGGER "seen here" AFTER INSERT ON users BEGIN INSERT INTO log VALUES (new.id); END;
                    CREATE TEMP TRIGGER there AFTER INSERT ON aside.users BEGIN INSERT INTO log VALUES ('there'); END;
                    """)
        }
        let triggers = "SELECT sql FROM temp.sqlite_master ORDER BY name"
        let before = try values(triggers)
        #expect(before.count == 2)
        let sql = "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT, old TEXT)"
        try queue.write { try TableRebuild(table: "users", sql: sql).run(on: $0) }
        #expect(try values(triggers) == before)
        try queue.write {
            try $0.execute(sql: "INSERT INTO users (id) VALUES ('here'); INSERT INTO aside.users VALUES ('1')")
        }
        #expect(try values("SELECT line FROM log ORDER BY rowid") == ["here", "there"])
    }

    @Test func aFullTextIndexStays() throws {
        let (before, after) = try dropProperty(Self.plain, fullText: true)
        #expect(after.text == before.text.replacingOccurrences(of: "old TEXT NOT NULL", with: "old TEXT"))
        try queue.write { try $0.execute(sql: "INSERT INTO users (id, name) VALUES ('z', 'zebra')") }
        #expect(try values("SELECT name FROM users_fts WHERE users_fts MATCH 'zebra'") == ["zebra"])
    }

    @Test func aRowThatBreaksACheckStays() throws {
        let sql = """
            CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL CHECK (name <> ''), old TEXT NOT NULL);
            PRAGMA ignore_check_constraints = 1;
            INSERT INTO users VALUES ('1', '', 'x');
            PRAGMA ignore_check_constraints = 0;
            """
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.write {
            try TableRebuild(
                table: "users", sql: "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT CHECK (name <> ''), old TEXT)"
            ).run(on: $0)
        }
        #expect(try values("SELECT old FROM users") == ["x"])
        #expect(throws: GRDB.DatabaseError.self) {
            try queue.write { try $0.execute(sql: "INSERT INTO users VALUES ('2', '', '')") }
        }
    }

    @Test func aRowThatAConstraintWouldLeaveOutIsAnError() throws {
        let sql = """
            CREATE TABLE users (id TEXT, name TEXT);
            INSERT INTO users VALUES ('1', NULL), ('2', 'B');
            """
        try queue.inDatabase { try $0.execute(sql: sql) }
        #expect(throws: TableRebuildError(table: "users", reason: .rowsLeftOut(1))) {
            try queue.write {
                try TableRebuild(
                    table: "users", sql: "CREATE TABLE users (id TEXT, name TEXT NOT NULL ON CONFLICT IGNORE)"
                )
                .run(on: $0)
            }
        }
        #expect(try values("SELECT id FROM users") == ["1", "2"])
    }

    @Test func aTextInUTF16IsNoError() throws {
        try queue.inDatabase {
            try $0.execute(
                sql: """
                    PRAGMA encoding = 'UTF-16le';
                    CREATE TABLE users (größe TEXT NOT NULL); INSERT INTO users VALUES ('x')
                    """)
        }
        try queue.write { try TableRebuild(table: "users", sql: "CREATE TABLE users (größe TEXT)").run(on: $0) }
        #expect(try values("PRAGMA encoding") == ["UTF-16le"])
        #expect(try values("SELECT größe FROM users") == ["x"])
    }

    /// Read as a text, the byte would come back as another character.
    @Test func aTextThatIsNoUTF8IsAnError() throws {
        let sql = """
            CREATE TABLE users (id TEXT, city TEXT DEFAULT 'Zurich');
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, 'Zurich', CAST(x'5afc72696368' AS TEXT));
            PRAGMA writable_schema = RESET;
            """
        try queue.inDatabase { try $0.execute(sql: sql) }
        #expect(throws: TableRebuildError(table: "users", reason: .notUTF8)) {
            try queue.write { try TableRebuild(table: "users", sql: "CREATE TABLE users (id TEXT)").run(on: $0) }
        }
    }
}
