import StorageKit
import StorageTestSupport
import Testing

/// Texts that want to be more than a value, and statements that want to do more than read.
@Suite struct SQLInjectionTests {
    private let some = SomeReminders()
    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() async throws {
        store = try await some.store()
    }

    private func dump() async throws -> [String] {
        try await store.db.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT coalesce(sql, name) FROM sqlite_schema UNION ALL SELECT id || title FROM reminders ORDER BY 1"
            )
        }
    }

    @Test(arguments: [
        "\"", "'", "'; DROP TABLE reminders; --", "\" OR 1 = 1 --", "a\0b", "?1", ":name", "/*", "\\", "%_",
        "\u{FEFF}\u{202E}",
    ]) func aTextIsFoundAsItIs(text: String) async throws {
        let before = try await dump()
        #expect(try await storage.sql("SELECT \(text)", as: String.self).fetch() == [text])
        #expect(
            try await storage.sql("SELECT count(*) FROM reminders WHERE title = \(text)", as: Int.self).fetch() == [0])
        #expect(try await storage.snapshot { tx in try tx.sql("SELECT \(text)", as: String.self) } == [text])
        #expect(try await dump() == before)
    }

    @Test func aNameInPlaceOfAColumnIsAValue() async throws {
        for name in ["title", "\"title\"", "title\" FROM reminders; --"] {
            let found = storage.sql("SELECT \(name) FROM reminders ORDER BY \(name) LIMIT 1", as: String.self)
            #expect(try await found.fetch() == [name])
        }
    }

    @Test func aLongTextIsAValueAndADeepStatementIsRefused() async throws {
        let text = String(repeating: "x", count: 10_000_000)
        #expect(try await storage.sql("SELECT length(\(text))", as: Int.self).fetch() == [10_000_000])
        let deep = SQLText(stringLiteral: "SELECT " + String(repeating: "(", count: 100_000) + "1")
        await #expect(throws: StorageError.self) { try await storage.sql(deep, as: Int.self).fetch() }
    }

    @Test(arguments: [
        "INSERT INTO tags (id) VALUES ('x') RETURNING id", "UPDATE reminders SET title = 'x' RETURNING id",
        "DELETE FROM reminders RETURNING id", "REPLACE INTO tags (id) VALUES ('x') RETURNING id",
        "WITH x AS (SELECT 1) INSERT INTO tags (id) VALUES ('x') RETURNING id",
        "WITH x AS (SELECT 1) UPDATE reminders SET title = 'x' RETURNING id",
        "WITH x AS (SELECT 1) DELETE FROM reminders RETURNING id",
        "WITH x AS (DELETE FROM reminders RETURNING id) SELECT id FROM x",
        "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 9", "PRAGMA writable_schema = ON",
        "ATTACH 'other.db' AS other",
        "DETACH main", "VACUUM INTO 'copy.db'", "VACUUM", "REINDEX", "ANALYZE", "SAVEPOINT s", "RELEASE s", "ROLLBACK",
        "CREATE TABLE t (a)", "CREATE TEMP TABLE t AS SELECT 1", "DROP TABLE reminders", "ALTER TABLE tags RENAME TO t",
        "EXPLAIN SELECT 1", " \n\t-- DELETE\n DELETE FROM reminders", "/* SELECT */ DELETE FROM reminders",
        "SELECT 1; DELETE FROM reminders", "SELECT 1;", "; DELETE FROM reminders", "SELECT 1\0; DELETE FROM reminders",
        "SELECT 1 /* open", "SELECT 1 -- end", "SELECT 'open", "SELECT \"open", "SELECT [open", "SELECT `open",
        "SELECT (1", "SELECT 1)",
        "SELECT ?", "SELECT ?1", "SELECT :a", "SELECT @a", "SELECT $a", "SELECT load_extension('x')",
        "SELECT nowhere FROM reminders",
        "SELECT 1 FROM nowhere", "SELECT edit('x')", "SELECT writefile('x', 'y')", "\0", "SELECT",
    ]) func aStatementThatIsNoQueryIsRefusedAndChangesNothing(statement: String) async throws {
        let before = try await dump()
        let query = storage.sql(SQLText(stringLiteral: statement), as: String?.self)
        for ask in [
            { try await query.fetch() }, { [try await query.fetchOne() ?? nil] },
            { try await storage.snapshot { try $0.sql(SQLText(stringLiteral: statement), as: String?.self) } },
            { try await storage.transaction { try $0.sql(SQLText(stringLiteral: statement), as: String?.self) } },
        ] as [() async throws -> [String?]] {
            await expectRefusal("The query failed") { try await ask() }
        }
        #expect(try await dump() == before)
        #expect(try await storage.query(Reminder.self).count() == 5)
    }
}
