import Persistence
import StorageTestSupport
import Testing

@Suite struct SQLiteDatabaseTests {
    @Test func aPathIsNoAddress() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("address.db")
        // There is no folder of the name `file:`.
        let error = await thrownError {
            let database = try await SQLiteDatabase(path: "file:\(file.path)")
            try await database.execute("CREATE TABLE t (a)")
        }
        #expect(error is SQLiteError)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func severalStatementsRunInTurn() async throws {
        let shelf = try await Shelf()
        let changed = try await shelf.database.execute(
            """
            -- made now, used at once
            CREATE TABLE notes (text TEXT);; INSERT INTO notes VALUES ('a;b');
            INSERT INTO notes VALUES (?), (?);
            UPDATE notes SET text = ? WHERE text = ?; /* the end */ ;
            """, [.text("b"), .text("c"), .text("d"), .text("b")])
        #expect(changed == 4)
        let texts = try await shelf.database.rows("SELECT text FROM notes ORDER BY text").map { $0.value("text") }
        #expect(texts == [.text("a;b"), .text("c"), .text("d")])
    }

    @Test func aScriptThatComesAgainRunsAllItsStatements() async throws {
        let shelf = try await Shelf()
        let script = "INSERT INTO books (title) VALUES ('a'); INSERT INTO books (title) VALUES ('b')"
        for _ in 0..<2 { #expect(try await shelf.database.execute(script) == 2) }
        #expect(try await shelf.titles() == [.text("a"), .text("b"), .text("a"), .text("b")])
    }

    @Test func aTextWithoutStatementsDoesNothing() async throws {
        let shelf = try await Shelf()
        #expect(try await shelf.database.execute("") == 0)
        #expect(try await shelf.database.execute(" ;; -- nothing") == 0)
    }

    @Test func aStatementThatChangesNothingCountsNothing() async throws {
        let shelf = try await Shelf()
        #expect(try await shelf.database.execute("INSERT INTO books (title) VALUES ('a'), ('b')") == 2)
        #expect(try await shelf.database.execute("SELECT * FROM books") == 0)
        #expect(try await shelf.database.execute("CREATE TABLE more (id)") == 0)
        #expect(try await shelf.database.execute("DELETE FROM books WHERE title = 'c'") == 0)
    }

    @Test func whatAVirtualTableWritesForItselfCountsNothing() async throws {
        let shelf = try await Shelf()
        #expect(try await shelf.database.execute("CREATE VIRTUAL TABLE words USING fts5(text)") == 0)
        let script = "BEGIN; INSERT INTO words VALUES ('a'), ('b'); CREATE TABLE more (id); COMMIT"
        #expect(try await shelf.database.execute(script) == 2)
        #expect(try await shelf.database.execute("/* both */ WITH n AS (SELECT 1) DELETE FROM words") == 2)
        #expect(try await shelf.database.execute("replace INTO books VALUES (1, 'a')") == 1)
        #expect(try await shelf.database.execute("WITH n AS (SELECT 1) SELECT * FROM n, words") == 0)
    }

    @Test(arguments: [
        SQLiteValue.null, .integer(.min), .integer(.max), .real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude),
        .real(1),
        .text(""), .text("a\0b"), .text("e\u{301} 👩‍👩‍👧 ﷽"), .text("7"), .blob(Data()), .blob(Data([0, 255])),
    ])
    func aValueComesBackAsItWasBound(_ value: SQLiteValue) async throws {
        let shelf = try await Shelf("CREATE TABLE kept (value)")
        try await shelf.database.execute("INSERT INTO kept VALUES (?)", [value])
        let rows = try await shelf.database.rows("SELECT value FROM kept WHERE value IS ?", [value])
        #expect(rows.map(\.values) == [[value]])
        if case .real(let number)? = rows.first?.values.first, case .real(let bound) = value {
            #expect(number.sign == bound.sign)
        }
    }

    @Test func aPreparedStatementRunsWithOneSetOfValuesAfterAnother() async throws {
        let shelf = try await Shelf()
        let insert = try await shelf.database.prepare("INSERT INTO books (title) VALUES (?)")
        for title in ["a", "b", "c"] {
            #expect(try await insert.bind([.text(title)]).execute() == 1)
        }
        let select = try await shelf.database.prepare("SELECT id, title FROM books WHERE id > ?")
        #expect(select.parameterCount == 1)
        #expect(select.columns == ["id", "title"])
        #expect(try await select.bind([.integer(1)]).rows().map { $0.values[1] } == [.text("b"), .text("c")])
    }

    @Test func aStatementSeesColumnsThatWereAddedSince() async throws {
        let shelf = try await Shelf()
        try await shelf.database.add("a")
        #expect(try await shelf.database.rows("SELECT * FROM books").first?.columns == ["id", "title"])
        try await shelf.database.execute("ALTER TABLE books ADD COLUMN year INTEGER DEFAULT 1815")
        let row = try await shelf.database.rows("SELECT * FROM books").first
        #expect(row?.columns == ["id", "title", "year"])
        #expect(row?.value("year") == .integer(1815))
        try await shelf.database.execute("ALTER TABLE books RENAME COLUMN year TO born")
        #expect(try await shelf.database.rows("SELECT * FROM books").first?.value("born") == .integer(1815))
    }

    @Test func aTextIsPreparedForTheTablesAsTheyAre() async throws {
        let shelf = try await Shelf()
        let sql = "SELECT * FROM books"
        #expect(try await shelf.database.prepare(sql).columns == ["id", "title"])
        try await shelf.database.execute("ALTER TABLE books ADD COLUMN year INTEGER")
        #expect(try await shelf.database.prepare(sql).columns == ["id", "title", "year"])
        #expect(try await shelf.database.rows(sql).isEmpty)
        try await shelf.database.execute("DROP TABLE books")
        let error = await sqliteError { _ = try await shelf.database.prepare(sql) }
        #expect(error == .sqlite(code: 1, message: "no such table: books", sql: sql))
    }

    @Test func moreStatementsThanAreKeptAllRun() async throws {
        let shelf = try await Shelf()
        for _ in 0..<2 {
            for number in 0..<200 {
                let rows = try await shelf.database.rows("SELECT \(number) + ?", [.integer(1)])
                #expect(rows.first?.values == [.integer(Int64(number) + 1)])
            }
        }
    }

    @Test func statementsThatDifferInBytesAloneAreTwo() async throws {
        let shelf = try await Shelf()
        for (text, bytes) in [("\u{E9}", "C3A9"), ("e\u{301}", "65CC81"), ("\u{E9}", "C3A9")] {
            #expect(try await shelf.database.rows("SELECT hex('\(text)')").map(\.values) == [[.text(bytes)]])
        }
    }

    @Test func foreignKeysAreEnforced() async throws {
        let shelf = try await Shelf(
            "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a (id))")
        let error = await sqliteError { try await shelf.database.execute("INSERT INTO b VALUES (1)") }
        #expect(
            error
                == .sqlite(code: 787, message: "FOREIGN KEY constraint failed", sql: "INSERT INTO b VALUES (1)"))
    }

    @Test func whatWasWrittenIsThereWhenTheFileIsOpenedAgain() async throws {
        let shelf = try await Shelf()
        try await shelf.database.add("a")
        try await shelf.database.close()
        let again = try await SQLiteDatabase(path: shelf.folder.file().path)
        #expect(try await again.titles() == [.text("a")])
    }

    @Test func databasesInMemoryAreApart() async throws {
        let one = try await SQLiteDatabase.inMemory()
        let other = try await SQLiteDatabase.inMemory()
        try await one.execute("CREATE TABLE books (id)")
        #expect(try await other.rows("SELECT * FROM sqlite_master").isEmpty)
    }

    @Test func aWriteWaitsForTheLockOfAnotherConnection() async throws {
        let shelf = try await Shelf()
        let patient = try await SQLiteDatabase(path: shelf.folder.file().path, busyTimeout: .patience)
        let hasty = try await SQLiteDatabase(path: shelf.folder.file().path, busyTimeout: .zero)
        let waiting = try await shelf.database.withTransaction { db in
            let waiting = Task { try await patient.add("b") }
            let locked = await sqliteError { try await hasty.add("c") }
            #expect(locked == .locked("INSERT INTO books (title) VALUES (?)"))
            #expect(
                await sqliteError { try await hasty.withTransaction { try await $0.add("c") } }
                    == .locked("BEGIN IMMEDIATE"))
            try await db.add("a")
            return waiting
        }
        try await waiting.value
        try await hasty.withTransaction { try await $0.add("d") }
        #expect(try await shelf.titles() == [.text("a"), .text("b"), .text("d")])
    }
}

extension SQLiteError {
    fileprivate static func locked(_ sql: String) -> SQLiteError {
        .sqlite(code: 5, message: "database is locked", sql: sql)
    }
}
