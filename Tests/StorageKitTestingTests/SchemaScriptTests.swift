import StorageKit
import StorageKitTesting
import Testing

struct SchemaScriptTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func rowsOfTheAppsOwnAreKept() throws {
        func describe(_ schema: inout AppMigrations) {
            schema.migration("settings") { try $0.execute(sql: "CREATE TABLE settings (name TEXT, value TEXT)") }
        }
        let url = try SchemaSnapshots(
            folder: folder.url, rows: { try $0.execute(sql: "INSERT INTO settings VALUES ('size', '12')") },
            schema: describe
        ).record("1.0")
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains(#"INSERT INTO "settings" ("name", "value") VALUES ('size', '12');"#))
    }

    @Test func aRowOfAStatementBehindACommentIsKept() throws {
        let kept = try keptSettings {
            try $0.execute(sql: "-- Insert the first\nINSERT INTO settings VALUES ('size', ?)", arguments: [12])
        }
        #expect(try kept.read { try String.fetchAll($0, sql: "SELECT name || value FROM settings") } == ["size12"])
    }

    @Test(arguments: [0.1 + 0.2, 1.0 / 3, -1e23, 3.0, Double.infinity, -Double.infinity])
    func aNumberIsKeptWithAllItsDigits(number: Double) throws {
        let kept = try keptSettings {
            try $0.execute(sql: "INSERT INTO settings VALUES ('number', ?)", arguments: [number])
        }
        #expect(try kept.read { try Double.fetchOne($0, sql: "SELECT value FROM settings") } == number)
        #expect(try kept.read { try String.fetchOne($0, sql: "SELECT typeof(value) FROM settings") } == "real")
    }

    @Test(arguments: ["''", "'it''s'", "CAST(x'610062' AS TEXT)", "x''", "x'00FF'", "NULL", "-9223372036854775808"])
    func aValueIsKeptAsItIs(value: String) throws {
        let kept = try keptSettings { try $0.execute(sql: "INSERT INTO settings VALUES ('value', \(value))") }
        let isSame = "SELECT value IS \(value) AND typeof(value) = typeof(\(value)) FROM settings"
        #expect(try kept.read { try Bool.fetchOne($0, sql: isSame) } == true)
    }

    @Test func aTextOfManyNULsIsKeptAsItIs() throws {
        let text = String(repeating: "\0\u{1}'", count: 2_000)
        let kept = try keptSettings {
            try $0.execute(sql: "INSERT INTO settings VALUES ('value', CAST(? AS TEXT))", arguments: [Data(text.utf8)])
        }
        let bytes = try kept.read { try Data.fetchOne($0, sql: "SELECT CAST(value AS BLOB) FROM settings") }
        #expect(bytes == Data(text.utf8))
    }

    /// A store that a snapshot makes, in which a test has added rows to the table `settings`.
    private func keptSettings(_ rows: @escaping (Database) throws -> Void) throws -> DatabaseQueue {
        func describe(_ schema: inout AppMigrations) {
            schema.migration("settings") { try $0.execute(sql: "CREATE TABLE settings (name TEXT, value)") }
        }
        let snapshots = SchemaSnapshots(folder: folder.url, rows: rows, schema: describe)
        return try restored(snapshots.record("1.0"), at: ":memory:")
    }

    private func restored(_ script: URL, at path: String) throws -> DatabaseQueue {
        let store = try DatabaseQueue(path: path)
        try store.writeWithoutTransaction { try $0.execute(sql: String(contentsOf: script, encoding: .utf8)) }
        return store
    }

    /// SQLite calls it a shadow, by its name alone.
    @Test(arguments: ["docs_content", ""])
    func aTableBesideAFullTextTableThatKeepsNoTextsIsKept(content: String) throws {
        func describe(_ schema: inout AppMigrations) {
            schema.migration("docs") {
                try $0.execute(
                    sql: """
                        CREATE TABLE docs_content (id INTEGER PRIMARY KEY, body TEXT);
                        CREATE INDEX byBody ON docs_content (body);
                        CREATE VIRTUAL TABLE docs USING fts5(body, content='\(content)');
                        INSERT INTO docs_content VALUES (1, 'one')
                        """)
            }
        }
        let kept = try restored(SchemaSnapshots(folder: folder.url, schema: describe).record("1.0"), at: ":memory:")
        #expect(try kept.read { try String.fetchAll($0, sql: "SELECT body FROM docs_content") } == ["one"])
    }

    @Test func rowsOfAMigrationAreFoundBySearch() async throws {
        func describe(_ schema: inout AppMigrations) {
            schema.autoSchema(NoteRecord.self)
            schema.addFullTextSearch(table: "notes", columns: ["title"])
            schema.migration("welcome") {
                try $0.execute(
                    sql: """
                        INSERT INTO notes (id, title, isDone, updatedAt)
                        VALUES ('1', 'Welcome', 0, '2026-01-01 00:00:00.000')
                        """)
            }
        }
        let old = folder.file("old.sqlite")
        try restored(SchemaSnapshots(folder: folder.url, schema: describe).record("1.0"), at: old.path).close()
        let store = try TemporaryStore(copyOf: old, schema: describe)
        #expect(try await store.storage.query(Note.self).matching("welcome").count() == 1)
        #expect(try await store.storage.query(Note.self).matching("text").count() == 3)
        #expect(try await store.context.checkIntegrity().isIntact)
    }

    @Test func whatATriggerDidIsNotDoneAgain() throws {
        let url = try SchemaSnapshots(
            folder: folder.url,
            rows: { try $0.execute(sql: "INSERT INTO settings VALUES ('size')") },
            schema: { schema in
                schema.migration("settings") {
                    try $0.execute(
                        sql: """
                            CREATE TABLE settings (name TEXT); CREATE TABLE changes (name TEXT);
                            CREATE TRIGGER changed AFTER INSERT ON settings
                                BEGIN INSERT INTO changes VALUES (new.name); END;
                            INSERT INTO settings VALUES ('colour');
                            """)
                }
            }
        ).record("1.0")
        let kept = try restored(url, at: ":memory:")
        #expect(try kept.read { try String.fetchAll($0, sql: "SELECT name FROM changes") } == ["colour", "size"])
        let triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        #expect(try kept.read { try String.fetchAll($0, sql: triggers) } == ["changed"])
    }

    @Test func rowsOfVirtualTablesAreKeptOrTheFileSaysThatTheyAreNot() throws {
        let url = try SchemaSnapshots(
            folder: folder.url,
            rows: { try $0.execute(sql: "INSERT INTO texts (rowid, text) VALUES (7, 'one two')") },
            schema: { schema in
                schema.migration("texts") {
                    try $0.execute(
                        sql: """
                            CREATE VIRTUAL TABLE texts USING fts5 (text);
                            CREATE VIRTUAL TABLE terms USING fts5vocab (texts, row);
                            CREATE VIRTUAL TABLE bare USING fts5 (text, content='');
                            """)
                }
            }
        ).record("1.0")
        let kept = try restored(url, at: ":memory:")
        #expect(try kept.read { try Int.fetchAll($0, sql: "SELECT rowid FROM texts WHERE texts MATCH 'two'") } == [7])
        let script = try String(contentsOf: url, encoding: .utf8)
        #expect(script.contains("-- table 'terms' has no rows") && script.contains("-- table 'bare' has no rows"))
    }

    @Test func rowsKeepTheNumbersByWhichAFullTextTableKnowsThem() throws {
        let url = try SchemaSnapshots(folder: folder.url) { schema in
            schema.migration("notes") {
                try $0.execute(
                    sql: """
                        CREATE TABLE notes (id TEXT PRIMARY KEY, title TEXT);
                        CREATE VIRTUAL TABLE titles USING fts5 (title, content='notes');
                        INSERT INTO notes VALUES ('a', 'one'), ('b', 'two'), ('c', 'three');
                        DELETE FROM notes WHERE id = 'a';
                        INSERT INTO titles (titles) VALUES ('rebuild')
                        """)
            }
        }.record("1.0")
        let kept = try restored(url, at: ":memory:")
        let sql = "SELECT id FROM notes WHERE rowid IN (SELECT rowid FROM titles WHERE titles MATCH 'two')"
        #expect(try kept.read { try String.fetchAll($0, sql: sql) } == ["b"])
    }

    @Test(arguments: ["/* open", "-- open", "/* closed */", "WHERE '/*' <> '--'"])
    func whatStandsBehindACommentAtTheEndOfAStatementIsKept(end: String) throws {
        let url = try SchemaSnapshots(folder: folder.url) { schema in
            schema.migration("view") {
                try $0.execute(sql: "CREATE TABLE notes (id TEXT)")
                try $0.execute(sql: "CREATE VIEW ids AS SELECT id FROM notes \(end)")
                try $0.execute(sql: "CREATE TRIGGER viewed INSTEAD OF INSERT ON ids BEGIN SELECT 1; END")
            }
        }.record("1.0")
        let kept = try restored(url, at: ":memory:")
        let names = "SELECT name FROM sqlite_master WHERE type IN ('view', 'trigger') ORDER BY name"
        #expect(try kept.read { try String.fetchAll($0, sql: names) } == ["ids", "viewed"])
    }

    @Test(arguments: [("new.id <> 'text 1'", 1), ("true", 0)])
    func aTriggerThatRefusesRowsLeavesThemOut(condition: String, rows: Int) throws {
        let snapshots = SchemaSnapshots(folder: folder.url) { schema in
            schema.autoSchema(NoteRecord.self)
            schema.migration("few") {
                try $0.execute(
                    sql: """
                        CREATE TRIGGER few BEFORE INSERT ON notes WHEN \(condition) BEGIN
                            SELECT RAISE(ABORT, 'not so many');
                        END
                        """)
            }
        }
        let text = try String(contentsOf: snapshots.record("1.0"), encoding: .utf8)
        #expect(text.components(separatedBy: #"INSERT INTO "notes""#).count - 1 == rows)
        #expect(text.contains("-- table 'notes' has no rows, since it refused what was made up") == (rows == 0))
        try snapshots.check()
    }

    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            "UPDATE notes SET isGone = 1 WHERE id = old.id; SELECT RAISE(IGNORE)", "SELECT RAISE(ABORT, 'not gone')",
        ])
    func aTriggerThatKeepsRowsWhichReferToMissingOnesIsTold(action: String) throws {
        let url = try SchemaSnapshots(
            folder: folder.url,
            rows: { try $0.execute(sql: "INSERT INTO notes (id, listId) VALUES ('1', 'none')") },
            schema: { schema in
                schema.migration("notes") {
                    try $0.execute(
                        sql: """
                            CREATE TABLE lists (id TEXT PRIMARY KEY);
                            CREATE TABLE notes (id TEXT PRIMARY KEY, listId TEXT REFERENCES lists (id), isGone INTEGER);
                            CREATE TRIGGER kept BEFORE DELETE ON notes BEGIN \(action); END
                            """)
                }
            }
        ).record("1.0")
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains("-- table 'notes' has rows that refer to missing ones, since a trigger keeps them"))
        #expect(!text.contains("has fewer rows"))
    }
}
