import GRDB
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct FullTextBuildTests {
    @Test(arguments: KeyKind.allCases)
    func rowsThatAreThereAreFound(kind: KeyKind) throws {
        let file = try FullTextFixture(kind, built: false)
        try file.insert(1, "fox")
        try file.insert(2, nil, "fox")
        try file.build()
        #expect(try file.hits("fox") == kind.keys(1, 2))
        try file.checkIntegrity()
    }

    @Test(arguments: KeyKind.allCases)
    func buildingAgainChangesNoHit(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox")
        for _ in 0..<2 { try file.build() }
        #expect(try file.hits("fox") == kind.keys(1))
        #expect(try file.isCurrent())
    }

    @Test(arguments: KeyKind.allCases)
    func buildingRemovesDocumentsWithoutRow(kind: KeyKind) throws {
        let file = try FullTextFixture(kind)
        try file.insert(1, "fox", slug: 5)
        try file.run("INSERT OR REPLACE INTO articles (id, title, slug) VALUES (?, 'fox', 5)", [kind.key(2)])
        #expect(try file.staleCount() == 1)
        try file.build()
        #expect(try file.staleCount() == 0)
        #expect(try file.hits("fox") == kind.keys(2))
    }

    @Test(arguments: KeyKind.allCases)
    func progressEndsWithAllRowsDone(kind: KeyKind) throws {
        let count = FullTextIndex.rowsPerChunk + 1
        let file = try FullTextFixture(kind, built: false)
        let key = kind == .integer ? "n * 3 - 9000" : "'k' || n"
        try file.run(
            """
            WITH numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO articles (id, title) SELECT \(key), 'fox ' || n FROM numbers
            """)
        var steps: [[Int]] = []
        try file.queue.write { db in try file.index.build(on: db) { steps.append([$0, $1]) } }
        #expect(steps == [[count - 1, count], [count, count]])
        #expect(try file.hits("fox").count == count)
        #expect(try file.hits("\(count)").count == 1)
        try file.checkIntegrity()
    }

    @Test func aFilledIndexWritesSegmentsOfTheUsualSize() throws {
        let file = try FullTextFixture(built: false)
        try file.insert(1, "fox")
        try file.build()
        let bytes = try file.queue.read { db in
            try Int.fetchOne(db, sql: "SELECT v FROM articles_fts_config WHERE k = 'hashsize'")
        }
        #expect(bytes == 1_048_576)
    }

    @Test func theLeastAndTheGreatestKeyAreIndexed() throws {
        let file = try FullTextFixture(.integer, built: false)
        try file.run("INSERT INTO articles (id, title) VALUES (?, 'fox'), (?, 'fox')", [Int64.min, Int64.max])
        try file.build()
        #expect(try file.hits("fox") == [Int64.min.databaseValue, Int64.max.databaseValue])
    }

    @Test func rowsWithTheLeastAndTheGreatestNumberAreIndexed() throws {
        let file = try FullTextFixture(built: false)
        for (number, rowid) in [(1, Int64.max), (2, 0), (3, Int64.min)] {
            try file.run(
                "INSERT INTO articles (rowid, id, title) VALUES (?, ?, 'fox')", [rowid, file.kind.key(number)])
        }
        try file.build()
        try file.insert(4, "fox")
        #expect(try file.hits("fox") == file.kind.keys(1, 2, 3, 4))
        try file.checkIntegrity()
    }

    @Test(arguments: ["rowid", "rowid, _rowid_", "rowid, _rowid_, OID"])
    func columnsWithTheNamesOfRowNumbersAreOnlyColumns(names: String) throws {
        let columns = names.split(separator: ", ").map { "\($0) TEXT" }.joined(separator: ", ")
        let file = try FullTextFixture(
            sql: "CREATE TABLE articles (id TEXT PRIMARY KEY, title TEXT, body TEXT, slug INTEGER UNIQUE, \(columns))",
            built: false)
        try file.insert(1, "fox")
        try file.insert(2, "fox")
        try file.run("UPDATE articles SET rowid = 'seven'")
        try file.build()
        try file.run("DELETE FROM articles WHERE id = ?", [file.kind.key(1)])
        #expect(try file.hits("fox") == file.kind.keys(2))
        #expect(try file.staleCount() == 0)
    }

    @Test func rowsWithoutAKeyHaveNoDocument() throws {
        let file = try FullTextFixture(built: false)
        try file.run("INSERT INTO articles (id, title) VALUES (NULL, 'fox'), ('k1', 'fox'), (NULL, 'fox')")
        try file.build()
        #expect(try file.hits("fox") == file.kind.keys(1))
        #expect(try file.staleCount() == 0)
    }

    @Test func documentsKeepTheirRowsWhenRowsGetOtherNumbers() throws {
        let file = try FullTextFixture(built: false)
        for number in 1...3 { try file.insert(number, "fox \(number)") }
        try file.run("DELETE FROM articles WHERE id = ?", [file.kind.key(1)])
        try file.build()
        try file.run("VACUUM")
        try file.insert(4, "fox 4")
        #expect(try file.hits("3") == file.kind.keys(3))
        #expect(try file.hits("fox") == file.kind.keys(2, 3, 4))
    }

    @Test func anEmptyTableHasNoProgressToReport() throws {
        let file = try FullTextFixture()
        try file.queue.write { db in
            try file.index.build(on: db) { _, _ in Issue.record("nothing was there to index") }
        }
    }

    @Test func aBuildThatFailsLeavesTheOldIndex() throws {
        let file = try FullTextFixture()
        try file.insert(1, "fox")
        // A column that no row can be read with, so that the build fails when it comes to the rows.
        try file.run("ALTER TABLE articles ADD COLUMN broken AS (json(title))")
        let wider = FullTextIndex(table: "articles", columns: ["title", "broken"], tokenizer: "porter")
        try file.queue.write { db in
            _ = #expect(throws: DatabaseError.self) { try wider.build(on: db) }
        }
        #expect(try file.isCurrent())
        #expect(try file.hits("fox") == file.kind.keys(1))
    }

    @Test(arguments: KeyKind.allCases)
    func droppingLeavesOnlyTheTable(kind: KeyKind) throws {
        let file = try FullTextFixture(kind, built: false)
        func objects() throws -> [String] {
            try file.queue.read { db in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master ORDER BY name") }
        }
        let before = try objects()
        try file.build()
        #expect(try objects() != before)
        try file.queue.write { db in
            try file.index.drop(on: db)
            try file.index.drop(on: db)
        }
        #expect(try objects() == before)
        try file.insert(1, "fox")
    }

    @Test(arguments: KeyKind.allCases, ["ai", "au", "ad"])
    func aRemovedTriggerMakesTheIndexDue(kind: KeyKind, suffix: String) throws {
        let file = try FullTextFixture(kind)
        #expect(try file.isCurrent())
        try file.run("DROP TRIGGER articles_fts_\(suffix)")
        #expect(try !file.isCurrent())
        try file.build()
        #expect(try file.isCurrent())
    }

    @Test func otherColumnsOrAnotherTokenizerMakeTheIndexDue() throws {
        let file = try FullTextFixture()
        try file.insert(1, "running", "fox")
        for (columns, tokenizer) in [
            (["title"], "porter"), (["body", "title"], "porter"), (["title", "body"], "ascii"),
        ] {
            let other = FullTextIndex(table: "articles", columns: columns, tokenizer: tokenizer)
            try file.queue.write { db in
                #expect(try !other.isCurrent(on: db))
                try other.build(on: db)
                #expect(try other.isCurrent(on: db))
                #expect(try other.hits("fox", on: db).isEmpty == !columns.contains("body"))
            }
        }
        #expect(try file.hits("run") == [])
    }

    @Test func aTableThatWasRebuiltMakesTheIndexDue() throws {
        let file = try FullTextFixture()
        try file.insert(1, "fox")
        try file.run(
            """
            CREATE TABLE rebuilt (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
            INSERT INTO rebuilt SELECT 7, title, body FROM articles;
            DROP TABLE articles; ALTER TABLE rebuilt RENAME TO articles
            """)
        #expect(try !file.isCurrent())
        try file.build()
        #expect(try file.isCurrent())
        #expect(try file.hits("fox") == [7.databaseValue])
    }

    @Test func anIndexOfAnOlderMakeIsReplacedWithAllItsTriggers() throws {
        let file = try FullTextFixture(built: false)
        try file.run(
            """
            CREATE VIRTUAL TABLE articles_fts USING fts5(
                title, body, content='articles', content_rowid='rowid', tokenize='porter');
            CREATE TRIGGER articles_ai AFTER INSERT ON articles BEGIN
                INSERT INTO articles_fts(rowid, title, body) VALUES (new.rowid, new.title, new.body);
            END;
            CREATE TRIGGER articles_ad AFTER DELETE ON articles BEGIN
                INSERT INTO "articles_fts"
                    (articles_fts, rowid, title, body) VALUES ('delete', old.rowid, old.title, old.body);
            END;
            CREATE TRIGGER mine AFTER DELETE ON articles BEGIN
                INSERT INTO parents SELECT COUNT(*) FROM articles_fts;
            END
            """)
        try file.insert(1, "fox")
        #expect(try !file.isCurrent())
        try file.build()
        #expect(try file.isCurrent())
        try file.insert(2, "fox")
        try file.run("DELETE FROM articles WHERE id = 'k1'")
        #expect(try file.hits("fox") == file.kind.keys(2))
        let triggers = try file.queue.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        }
        #expect(triggers == ["articles_fts_ad", "articles_fts_ai", "articles_fts_au", "mine"])
    }

    @Test(arguments: [
        ("DELETE", "DELETE FROM articles_fts"), ("UPDATE", "UPDATE articles_fts SET title = new.title"),
        ("DELETE", "DELETE /* of the index */ FROM [Articles_FTS]"),
        ("UPDATE", "UPDATE OR REPLACE articles_fts SET title = new.title"),
    ])
    func anOlderTriggerThatWritesToTheIndexGoes(event: String, write: String) throws {
        let file = try FullTextFixture()
        try file.run(
            "CREATE TRIGGER older AFTER \(event) ON articles BEGIN \(write) WHERE rowid = old.rowid; END")
        #expect(try !file.isCurrent())
        try file.build()
        let sql = "SELECT name FROM sqlite_master WHERE name = 'older'"
        #expect(try file.queue.read { db in try String.fetchAll(db, sql: sql) } == [])
    }

    @Test func aTriggerThatWritesToATableWhoseNameOnlyBeginsAsThatOfTheIndexStays() throws {
        let file = try FullTextFixture()
        try file.run(
            """
            CREATE TABLE articles_fts2 (id);
            CREATE TRIGGER mine AFTER INSERT ON articles BEGIN INSERT INTO articles_fts2 VALUES (new.id); END
            """)
        #expect(try file.isCurrent())
        try file.build()
        let sql = "SELECT name FROM sqlite_master WHERE name = 'mine'"
        #expect(try file.queue.read { db in try String.fetchAll(db, sql: sql) } == ["mine"])
    }

    @Test(arguments: [
        "articles BEGIN UPDATE parents SET id = id WHERE 'into articles_fts' = ''",
        "articles BEGIN /* delete from articles_fts */ DELETE FROM parents WHERE id = 7",
        "parents BEGIN DELETE FROM articles_fts WHERE rowid = new.id",
        "parents BEGIN UPDATE OR IGNORE articles_fts SET title = 'x' WHERE rowid = new.id",
    ])
    func aTriggerThatOnlyNamesTheIndexOrIsOfAnotherTableStays(rest: String) throws {
        let file = try FullTextFixture()
        try file.run("CREATE TRIGGER mine AFTER INSERT ON \(rest); END")
        #expect(try file.isCurrent())
        try file.build()
        let sql = "SELECT name FROM sqlite_master WHERE name = 'mine'"
        #expect(try file.queue.read { db in try String.fetchAll(db, sql: sql) } == ["mine"])
    }

    @Test func theTriggersThatWentWithTheOldNameOfATableGo() throws {
        let file = try FullTextFixture()
        try file.run(
            """
            ALTER TABLE articles RENAME TO papers;
            CREATE TABLE articles (id TEXT PRIMARY KEY, title TEXT, body TEXT, slug INTEGER UNIQUE)
            """)
        #expect(try !file.isCurrent())
        try file.build()
        #expect(try file.isCurrent())
        try file.insert(1, "fox")
        try file.run("INSERT INTO papers (id, title) VALUES ('k2', 'fox')")
        #expect(try file.hits("fox") == file.kind.keys(1))
    }

    @Test(arguments: [
        "id TEXT PRIMARY KEY", "id INTEGER PRIMARY KEY", "\"rowid\" TEXT PRIMARY KEY", "\"a \"\"k\"\"\" PRIMARY KEY",
    ])
    func anyNameOfAColumnWorks(key: String) throws {
        let names = ["order", "a b", "c\"d", "e'f", "docid", "oid", "_rowid_", "match", "new", "x=y", "Straße"]
        let columns = names.map(\.quotedIdentifier).joined(separator: ", ")
        let file = try FullTextFixture(columns: names, sql: "CREATE TABLE articles (\(key), \(columns))")
        let values = names.indices.map { "w\($0)" }
        let places = names.map { _ in "?" }.joined(separator: ", ")
        try file.run("INSERT INTO articles VALUES (5, \(places))", StatementArguments(values))
        for word in values { #expect(try file.hits(word).count == 1) }
        for name in names {
            try file.run("UPDATE articles SET \(name.quotedIdentifier) = 'changed'")
            #expect(try file.hits("\(name.quotedIdentifier) : changed").count == 1)
        }
        try file.build()
        #expect(try file.hits("changed").count == 1)
        #expect(try file.isCurrent())
        try file.run("DELETE FROM articles")
        #expect(try file.staleCount() == 0)
    }

    @Test func aTableMayHaveAnyNameThatGRDBTakes() throws {
        let folder = try TemporaryFolder()
        let queue = try GRDB.DatabaseQueue(path: folder.file().path)
        for table in ["my notes", "order", "it's", "Größe", "a.b"] {
            let index = FullTextIndex(table: table, columns: ["text"], tokenizer: "porter")
            try queue.write { db in
                let name = table.quotedIdentifier
                try db.execute(sql: "CREATE TABLE \(name) (id TEXT PRIMARY KEY, text TEXT)")
                try index.build(on: db)
                try db.execute(sql: "INSERT INTO \(name) VALUES ('k1', 'fox')")
                #expect(try index.hits("fox", on: db) == ["k1".databaseValue])
                try index.build(on: db)
                #expect(try index.isCurrent(on: db))
                #expect(try index.hits("fox", on: db) == ["k1".databaseValue])
            }
        }
    }

    @Test func aGeneratedColumnCanBeIndexed() throws {
        let file = try FullTextFixture(
            columns: ["both"],
            sql: "CREATE TABLE articles (id TEXT PRIMARY KEY, a, b, both AS (a || ' ' || b))")
        try file.run("INSERT INTO articles VALUES ('k1', 'fox', 'owl')")
        try file.run("UPDATE articles SET b = 'elk'")
        #expect(try file.hits("fox elk") == file.kind.keys(1))
        #expect(try file.hits("owl") == [])
    }

    @Test func twoTablesHaveTheirIndexesApart() throws {
        let file = try FullTextFixture()
        try file.run("CREATE TABLE articles_fts_notes (id TEXT PRIMARY KEY, title TEXT)")
        let notes = FullTextIndex(table: "articles_fts_notes", columns: ["title"], tokenizer: "porter")
        try file.queue.write { db in try notes.build(on: db) }
        try file.build()
        try file.run("INSERT INTO articles_fts_notes VALUES ('n', 'fox')")
        #expect(try file.hits("fox") == [])
        #expect(try file.queue.read { db in try notes.hits("fox", on: db) } == ["n".databaseValue])
        #expect(try file.queue.read { db in try notes.isCurrent(on: db) })
    }

    /// To SQLite, only letters of ASCII are the same in both cases.
    @Test func tablesWhoseNamesDifferByTheCaseOfOtherLettersHaveTheirIndexesApart() throws {
        let folder = try TemporaryFolder()
        let queue = try GRDB.DatabaseQueue(path: folder.file().path)
        let indexes = ["größe", "GRÖßE"].map {
            FullTextIndex(table: $0, columns: ["text"], tokenizer: "porter")
        }
        try queue.write { db in
            for index in indexes {
                try db.execute(sql: "CREATE TABLE \(index.table.quotedIdentifier) (id TEXT PRIMARY KEY, text TEXT)")
                try index.build(on: db)
            }
            for index in indexes { #expect(try index.isCurrent(on: db), "\(index.table)") }
        }
    }

    @Test func columnsWhoseNamesDifferByTheCaseOfOtherLettersAreTwo() throws {
        let file = try FullTextFixture(
            columns: ["ä", "Ä"], sql: #"CREATE TABLE articles (id TEXT PRIMARY KEY, "ä" TEXT, "Ä" TEXT)"#)
        try file.run("INSERT INTO articles VALUES ('k1', 'fox', 'owl')")
        #expect(try file.hits("fox owl") == file.kind.keys(1))
    }

    @Test func anUnrelatedColumnMayBeAddedRenamedAndDropped() throws {
        let file = try FullTextFixture()
        try file.run(
            """
            ALTER TABLE articles ADD COLUMN more TEXT; ALTER TABLE articles RENAME COLUMN other TO another;
            ALTER TABLE articles DROP COLUMN another
            """)
        #expect(try file.isCurrent())
    }
}
