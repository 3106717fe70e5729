import GRDB
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct FullTextTriggerTests {
    @Test(arguments: KeyKind.allCases)
    func anInsertedRowIsFound(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "A fox runs", "through the night")
        #expect(try file.hits("running") == kind.keys(1))
        #expect(try file.hits("night") == kind.keys(1))
        #expect(try file.hits("day") == [])
    }

    @Test(arguments: KeyKind.allCases)
    func anUpdatedRowIsFoundByItsNewTextOnly(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "old")
        try file.run("UPDATE articles SET title = 'new'")
        #expect(try file.hits("old") == [])
        #expect(try file.hits("new") == kind.keys(1))
        try file.checkIntegrity()
    }

    @Test(arguments: KeyKind.allCases)
    func aRowIsFoundUnderItsNewKey(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox")
        try file.run("UPDATE articles SET id = ?", [kind.key(7)])
        #expect(try file.hits("fox") == kind.keys(7))
        #expect(try file.staleCount() == 0)
    }

    @Test(arguments: KeyKind.allCases)
    func aDeletedRowIsNotFound(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox")
        try file.insert(2, "fox")
        try file.run("DELETE FROM articles WHERE id = ?", [kind.key(1)])
        #expect(try file.hits("fox") == kind.keys(2))
        #expect(try file.staleCount() == 0)
    }

    @Test(arguments: KeyKind.allCases)
    func deletingAllRowsEmptiesTheIndex(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        for number in 1...3 { try file.insert(number, "fox") }
        try file.run("DELETE FROM articles")
        #expect(try file.staleCount() == 0)
        try file.insert(9, "owl")
        #expect(try file.hits("fox OR owl") == kind.keys(9))
        try file.checkIntegrity()
    }

    @Test(arguments: KeyKind.allCases)
    func aReplacedRowIsFoundByItsNewTextOnly(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "old")
        try file.run("INSERT OR REPLACE INTO articles (id, title) VALUES (?, 'new')", [kind.key(1)])
        #expect(try file.hits("old") == [])
        #expect(try file.hits("new") == kind.keys(1))
        #expect(try file.staleCount() == 0)
        try file.checkIntegrity()
    }

    @Test(arguments: KeyKind.allCases)
    func aRowThatIsIgnoredChangesNothing(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "old")
        try file.run("INSERT OR IGNORE INTO articles (id, title) VALUES (?, 'new')", [kind.key(1)])
        try file.run("INSERT INTO articles (id, title) VALUES (?, 'new') ON CONFLICT DO NOTHING", [kind.key(1)])
        #expect(try file.hits("old") == kind.keys(1))
        #expect(try file.hits("new") == [])
    }

    @Test(arguments: KeyKind.allCases)
    func anUpsertIsFoundByItsNewTextOnly(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "old", "same")
        let sql = """
            INSERT INTO articles (id, title, body) VALUES (?, 'new', 'same')
            ON CONFLICT (id) DO UPDATE SET title = excluded.title, body = excluded.body
            """
        try file.run(sql, [kind.key(1)])
        #expect(try file.hits("old") == [])
        #expect(try file.hits("new same") == kind.keys(1))
        try file.checkIntegrity()
    }

    @Test(arguments: KeyKind.allCases)
    func anUpdateThatReplacesAnotherRowLeavesOne(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox")
        try file.insert(2, "owl")
        try file.run("UPDATE OR REPLACE articles SET id = ? WHERE title = 'fox'", [kind.key(2)])
        #expect(try file.hits("fox OR owl") == kind.keys(2))
        #expect(try file.hits("owl") == [])
        #expect(try file.staleCount() == 0)
        try file.checkIntegrity()
    }

    @Test(arguments: KeyKind.allCases)
    func aRowReplacedThroughAnotherUniqueColumnIsNoHit(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox", slug: 5)
        try file.run("INSERT OR REPLACE INTO articles (id, title, slug) VALUES (?, 'fox', 5)", [kind.key(2)])
        #expect(try file.hits("fox") == kind.keys(2))
        #expect(try file.staleCount() == 1)
        try file.insert(1, "owl")
        #expect(try file.hits("fox OR owl") == kind.keys(1, 2))
        #expect(try file.hits("owl") == kind.keys(1))
        #expect(try file.staleCount() == 0)
    }

    @Test(arguments: KeyKind.allCases)
    func rowsDeletedWithTheirParentAreNotFound(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox")
        try file.insert(2, "fox")
        try file.run("INSERT INTO parents VALUES (1)")
        try file.run("UPDATE articles SET parent = 1 WHERE id = ?", [kind.key(1)])
        try file.run("DELETE FROM parents")
        #expect(try file.hits("fox") == kind.keys(2))
        #expect(try file.staleCount() == 0)
    }

    @Test func aTreeDeletedWithItsRootIsNotFound() throws {
        let file = try FullTextFixture(
            sql: """
                CREATE TABLE articles (id TEXT PRIMARY KEY, title TEXT, body TEXT,
                    above TEXT REFERENCES articles(id) ON DELETE CASCADE)
                """)
        for number in 1...4 {
            try file.run(
                "INSERT INTO articles VALUES (?, 'fox', NULL, ?)",
                [file.kind.key(number), number == 1 ? nil : file.kind.key(number - 1)])
        }
        try file.run("DELETE FROM articles WHERE id = 'k1'")
        #expect(try file.hits("fox") == [])
        #expect(try file.staleCount() == 0)
    }

    @Test func aTextThatAForeignKeyChangesIsFound() throws {
        let file = try FullTextFixture(
            columns: ["author"],
            sql: """
                CREATE TABLE authors (name TEXT PRIMARY KEY);
                CREATE TABLE articles (id TEXT PRIMARY KEY, author TEXT REFERENCES authors(name) ON UPDATE CASCADE);
                INSERT INTO authors VALUES ('ada')
                """)
        try file.run("INSERT INTO articles VALUES ('k1', 'ada')")
        try file.run("UPDATE authors SET name = 'grace'")
        #expect(try file.hits("grace") == file.kind.keys(1))
        #expect(try file.hits("ada") == [])
    }

    @Test(arguments: KeyKind.allCases)
    func whatIsRolledBackIsNotFound(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox")
        try file.run(
            """
            BEGIN;
            UPDATE articles SET title = 'owl';
            SAVEPOINT s; DELETE FROM articles; ROLLBACK TO s; RELEASE s;
            UPDATE articles SET body = 'elk';
            COMMIT
            """)
        #expect(try file.hits("owl elk") == kind.keys(1))
        try file.run("BEGIN; DELETE FROM articles; ROLLBACK")
        #expect(try file.hits("owl elk") == kind.keys(1))
        try file.checkIntegrity()
    }

    @Test(arguments: KeyKind.allCases)
    func aStatementThatFailsHalfwayLeavesNoTrace(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox", slug: 1)
        try file.queue.write { db in
            _ = #expect(throws: DatabaseError.self) {
                try db.execute(
                    sql: "INSERT INTO articles (id, title, slug) VALUES (?, 'owl', 2), (?, 'owl', 1)",
                    arguments: [kind.key(2), kind.key(3)])
            }
        }
        #expect(try file.hits("owl") == [])
        try file.checkIntegrity()
    }

    @Test(arguments: [KeyKind.text, .withoutRowid])
    func hitsSurviveAVacuum(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        for number in 1...5 { try file.insert(number, "fox \(number)") }
        try file.run("DELETE FROM articles WHERE id IN ('k1', 'k3')")
        try file.run("VACUUM")
        #expect(try file.hits("5") == kind.keys(5))
        #expect(try file.hits("fox") == kind.keys(2, 4, 5))
        try file.run("UPDATE articles SET title = 'owl' WHERE id = 'k4'")
        #expect(try file.hits("owl") == kind.keys(4))
    }

    @Test func aRowWithoutKeyIsNotIndexedUntilItHasOne() throws {
        let file = try FullTextFixture(.text)
        try file.run("INSERT INTO articles (id, title) VALUES (NULL, 'fox'), (NULL, 'owl')")
        try file.build()
        #expect(try file.hits("fox OR owl") == [])
        try file.run("UPDATE articles SET id = 'k1' WHERE title = 'owl'")
        #expect(try file.hits("fox OR owl") == KeyKind.text.keys(1))
        try file.run("UPDATE articles SET id = NULL")
        #expect(try file.hits("fox OR owl") == [])
        #expect(try file.staleCount() == 0)
    }

    @Test(arguments: KeyKind.allCases)
    func aColumnMayBeNull(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, nil, "fox")
        try file.run("UPDATE articles SET title = 'owl', body = NULL")
        #expect(try file.hits("owl") == kind.keys(1))
        #expect(try file.hits("fox") == [])
        try file.run("UPDATE articles SET title = NULL")
        #expect(try file.hits("owl") == [])
        try file.checkIntegrity()
    }

    @Test(arguments: KeyKind.allCases)
    func anUpdateThatChangesNoTextDoesNotTouchTheIndex(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox", "owl")
        func state() throws -> [Row] {
            try file.queue.read { db in try Row.fetchAll(db, sql: "SELECT * FROM articles_fts_data") }
        }
        let before = try state()
        try file.run("UPDATE articles SET id = id, title = title, body = 'owl', other = 7")
        #expect(try state() == before)
        try file.run("UPDATE articles SET body = 'elk'")
        #expect(try state() != before)
    }

    @Test func aChangeThatTheCollationOfAColumnOverlooksIsFound() throws {
        let file = try FullTextFixture(
            columns: ["title"], tokenizer: "trigram case_sensitive 1",
            sql: "CREATE TABLE articles (id TEXT PRIMARY KEY, title TEXT COLLATE NOCASE)")
        try file.run("INSERT INTO articles VALUES ('k1', 'Polish')")
        try file.run("UPDATE articles SET title = 'polish'")
        #expect(try file.hits("polish") == file.kind.keys(1))
        #expect(try file.hits("Polish") == [])
    }

    @Test(arguments: ["id TEXT COLLATE NOCASE PRIMARY KEY, title", "id TEXT, title, PRIMARY KEY (id COLLATE NOCASE)"])
    func keysAreEqualWhereTheirCollationSaysSo(columns: String) throws {
        let file = try FullTextFixture(columns: ["title"], sql: "CREATE TABLE articles (\(columns))")
        try file.run("INSERT INTO articles VALUES ('K1', 'fox')")
        try file.run("INSERT OR REPLACE INTO articles VALUES ('k1', 'owl')")
        #expect(try file.hits("fox") == [])
        #expect(try file.hits("owl") == KeyKind.text.keys(1))
        try file.run("UPDATE articles SET id = 'K1'")
        #expect(try file.hits("owl") == ["K1".databaseValue])
        try file.run("DELETE FROM articles")
        #expect(try file.staleCount() == 0)
    }

    @Test func aKeyWhoseColumnOverlooksItsChangeIsFound() throws {
        let file = try FullTextFixture(
            columns: ["title"],
            sql: "CREATE TABLE articles (id TEXT COLLATE NOCASE, title, PRIMARY KEY (id COLLATE BINARY))")
        try file.run("INSERT INTO articles VALUES ('k1', 'fox')")
        try file.run("UPDATE articles SET id = 'K1'")
        #expect(try file.hits("fox") == ["K1".databaseValue])
        #expect(try file.staleCount() == 0)
    }

    @Test(arguments: ["INT", "BLOB", "", "REAL", "NUMERIC", "VARCHAR(9)", "UUID", "INTEGER DESC"])
    func aKeyMayBeOfAnyType(type: String) throws {
        let declared = type.replacing(" DESC", with: "")
        let order = type.hasSuffix("DESC") ? "DESC" : ""
        let file = try FullTextFixture(
            columns: ["title"], sql: "CREATE TABLE articles (id \(declared) PRIMARY KEY \(order), title)")
        try file.run("INSERT INTO articles VALUES ('1', 'fox'), ('2', 'fox'), (x'00ff', 'fox'), (3.5, 'owl')")
        #expect(try file.hits("fox").count == 3)
        try file.run("UPDATE articles SET title = 'elk' WHERE title = 'fox'")
        #expect(try file.hits("fox") == [])
        #expect(try file.hits("elk").count == 3)
        try file.run("DELETE FROM articles WHERE title = 'elk'")
        #expect(try file.staleCount() == 0)
        #expect(try file.hits("owl").count == 1)
    }

    @Test func aStrictTableMayTellTheTextOneFromTheNumberOne() throws {
        let file = try FullTextFixture(
            columns: ["title"], sql: "CREATE TABLE articles (id ANY PRIMARY KEY, title TEXT) STRICT")
        try file.run("INSERT INTO articles VALUES ('1', 'fox'), (1, 'owl')")
        try file.run("UPDATE articles SET title = 'elk' WHERE id = '1'")
        #expect(try file.hits("elk") == ["1".databaseValue])
        #expect(try file.hits("owl") == [1.databaseValue])
    }

    @Test(arguments: KeyKind.allCases)
    func anAppMayLetTriggersRecur(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.run("PRAGMA recursive_triggers = ON")
        try file.insert(1, "fox", slug: 5)
        try file.run("INSERT OR REPLACE INTO articles (id, title, slug) VALUES (?, 'fox', 5)", [kind.key(2)])
        try file.run("UPDATE OR REPLACE articles SET id = ?, title = 'owl'", [kind.key(1)])
        #expect(try file.hits("fox OR owl") == kind.keys(1))
        #expect(try file.staleCount() == 0)
        try file.checkIntegrity()
    }

    @Test(arguments: ["BEFORE", "AFTER"], KeyKind.allCases)
    func triggersOfTheAppMayChangeTheRow(time: String, kind: KeyKind) throws {
        let file = try FullTextFixture(kind, built: false)
        // Made before and after those of the index: SQLite runs the youngest first.
        func appTrigger(_ name: String) throws {
            try file.run(
                """
                CREATE TRIGGER \(name) \(time) UPDATE OF other ON articles
                BEGIN UPDATE articles SET title = title || ' ' || '\(name)' WHERE id = new.id; END
                """)
        }
        try appTrigger("early")
        try file.build()
        try appTrigger("late")
        try file.insert(1, "fox")
        try file.run("UPDATE articles SET other = 1, body = 'owl'")
        #expect(try file.hits("fox early late owl") == kind.keys(1))
        try file.checkIntegrity()
    }

    @Test(arguments: KeyKind.allCases)
    func aRowThatAnAppTriggerPutsBackIsFound(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.run(
            """
            CREATE TRIGGER keep AFTER DELETE ON articles WHEN old.title = 'fox'
            BEGIN INSERT INTO articles (id, title) VALUES (old.id, 'kept'); END
            """)
        try file.insert(1, "fox")
        try file.run("DELETE FROM articles")
        #expect(try file.hits("kept") == kind.keys(1))
        #expect(try file.hits("fox") == [])
    }

    @Test(arguments: ["new", "old", "New", "OLD"], [KeyKind.text, .integer])
    func aTableMayBeCalledAsATriggerCallsItsRows(table: String, kind: KeyKind) throws {
        let folder = try TemporaryFolder()
        let queue = try GRDB.DatabaseQueue(path: folder.file().path)
        let index = FullTextIndex(table: table, columns: ["text"], tokenizer: "porter")
        try queue.write { db in
            let type = kind == .integer ? "INTEGER" : "TEXT"
            try db.execute(sql: "CREATE TABLE \(table) (id \(type) PRIMARY KEY, text TEXT)")
            try index.build(on: db)
            for number in 1...3 {
                try db.execute(sql: "INSERT INTO \(table) VALUES (?, 'fox')", arguments: [kind.key(number)])
            }
            #expect(try index.hits("fox", on: db) == kind.keys(1, 2, 3))
            try db.execute(sql: "UPDATE \(table) SET text = 'owl' WHERE id = ?", arguments: [kind.key(1)])
            try db.execute(sql: "UPDATE \(table) SET id = ? WHERE id = ?", arguments: [kind.key(4), kind.key(2)])
            try db.execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [kind.key(3)])
            #expect(try index.hits("fox", on: db) == kind.keys(4))
            #expect(try index.hits("owl", on: db) == kind.keys(1))
            #expect(try index.staleCount(on: db) == 0)
            try index.build(on: db)
            #expect(try index.hits("fox OR owl", on: db) == kind.keys(1, 4))
            #expect(try index.hasDocumentsOfAllRows(on: db))
        }
    }

    @Test(arguments: KeyKind.allCases)
    func theStatementReportsItsOwnRowOnly(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.queue.write { db in
            try db.execute(sql: "INSERT INTO parents VALUES (77)")
            try db.execute(sql: "INSERT INTO articles (id, title) VALUES (?, 'fox')", arguments: [kind.key(5)])
            #expect(db.changesCount == 1)
            #expect(db.lastInsertedRowID == [.integer: 5, .text: 1, .withoutRowid: 77][kind])
            try db.execute(sql: "UPDATE articles SET title = 'owl'")
            #expect(db.changesCount == 1)
        }
    }
}
