import Persistence
import StorageTestSupport
import Testing

@Suite struct SQLiteErrorTests {
    @Test func malformedSQLIsNamed() async throws {
        let shelf = try await Shelf()
        let expected = SQLiteError.sqlite(code: 1, message: #"near "SELEC": syntax error"#, sql: "SELEC 1")
        #expect(await sqliteError { try await shelf.database.execute(" SELEC 1 ") } == expected)
        #expect(await sqliteError { _ = try await shelf.database.rows("SELEC 1") } == expected)
        #expect(await sqliteError { _ = try await shelf.database.prepare("SELEC 1") } == expected)
        #expect("\(expected)".contains("SELEC 1"))
    }

    @Test func longSQLIsNamedByItsBeginning() async throws {
        let shelf = try await Shelf()
        let sql = "nonsense " + String(repeating: "x", count: 5000)
        guard case .sqlite(code: 1, _, let named?) = await sqliteError({ try await shelf.database.execute(sql) }) else {
            Issue.record("no error names the SQL")
            return
        }
        #expect(named == String(sql.prefix(2000)))
    }

    @Test func theStatementOfAScriptThatFailsIsNamedAndThoseBeforeItHaveRun() async throws {
        let shelf = try await Shelf()
        let script = "INSERT INTO books VALUES (1, 'a'); INSERT INTO books VALUES (1, 'b'); DELETE FROM books"
        let error = await sqliteError { try await shelf.database.execute(script) }
        #expect(
            error
                == .sqlite(
                    code: 1555, message: "UNIQUE constraint failed: books.id",
                    sql: "INSERT INTO books VALUES (1, 'b');"))
        #expect(try await shelf.titles() == [.text("a")])
    }

    @Test(arguments: [[], [.integer(1)], [.integer(1), .integer(2), .integer(3)]] as [[SQLiteValue]])
    func tooFewOrTooManyValuesRunNothing(_ values: [SQLiteValue]) async throws {
        let shelf = try await Shelf()
        let sql = "INSERT INTO books VALUES (?, ?)"
        let expected = SQLiteError.bindingCount(expected: 2, given: values.count, sql: sql)
        #expect(await sqliteError { try await shelf.database.execute(sql, values) } == expected)
        #expect(await sqliteError { _ = try await shelf.database.rows(sql, values) } == expected)
        let statement = try await shelf.database.prepare(sql)
        #expect(await sqliteError { _ = try statement.bind(values) } == expected)
        #expect(try await shelf.titles().isEmpty)
    }

    @Test func valuesWithoutAStatementAreRefused() async throws {
        let shelf = try await Shelf()
        let error = await sqliteError { try await shelf.database.execute("-- nothing", [.null]) }
        #expect(error == .bindingCount(expected: 0, given: 1, sql: "-- nothing"))
    }

    @Test(arguments: ["", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; nonsense"])
    func whatIsNotOneStatementGivesNoRows(_ sql: String) async throws {
        let shelf = try await Shelf()
        #expect(await sqliteError { _ = try await shelf.database.rows(sql) } == .notOneStatement(sql: sql))
        #expect(await sqliteError { _ = try await shelf.database.prepare(sql) } == .notOneStatement(sql: sql))
    }

    @Test(arguments: [
        "", ";", ";;", " \t\r\n\u{C}", " \u{B}", "\u{FEFF}", "-- one\n;", "--", "-- never ended", "/* one */;", "/**/",
        "/***/ /* ; */", "/* never ended", "/*/", "/* almost *", "-- é \u{301}\n/* é */",
    ])
    func aCommentBehindAStatementIsNoOther(_ rest: String) async throws {
        let shelf = try await Shelf()
        #expect(try await shelf.database.rows("SELECT 1;" + rest).map(\.values) == [[.integer(1)]])
        #expect(try await shelf.database.execute("SELECT 1;" + rest) == 0)
    }

    @Test(arguments: ["-", "- -", "/", "/ *", "*/", "/**/ x", "-- one\nx", "; ; 'a", "\u{B}", "\u{A0}", "\u{301}", "#"])
    func whatIsNoCommentBehindAStatementIsAnother(_ rest: String) async throws {
        let shelf = try await Shelf()
        let sql = "SELECT 1;" + rest
        #expect(await sqliteError { _ = try await shelf.database.rows(sql) } == .notOneStatement(sql: sql))
    }

    @Test func notANumberIsRefused() async throws {
        let shelf = try await Shelf()
        let sql = "INSERT INTO books VALUES (?, ?)"
        let error = await sqliteError { try await shelf.database.execute(sql, [.integer(1), .real(.nan)]) }
        #expect(error == .notANumber(parameter: 2, sql: sql))
    }

    @Test func sqlThatContainsANULIsRefused() async throws {
        let shelf = try await Shelf()
        let error = await sqliteError { try await shelf.database.execute("DELETE FROM books\0WHERE id = 1") }
        guard case .sqlite(code: 1, message: "the SQL contains a NUL", _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func aNameThatIsNoColumnIsNoText() async throws {
        let shelf = try await Shelf()
        let error = await sqliteError { _ = try await shelf.database.rows(#"SELECT "nothing" FROM books"#) }
        guard case .sqlite(code: 1, message: "no such column: nothing", _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func aPathThatCannotBeOpenedIsNamed() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("missing/store.sqlite").path
        #expect(
            await sqliteError { _ = try await SQLiteDatabase(path: path) }
                == .cannotOpen(path: path, code: 14, message: "unable to open database file"))
        for path in ["", "a\0b"] {
            #expect(
                await sqliteError { _ = try await SQLiteDatabase(path: path) }
                    == .cannotOpen(path: path, code: 14, message: "the path is empty or contains a NUL"))
        }
    }

    @Test func aFileThatIsNoDatabaseIsFoundOutWhenItIsOpened() async throws {
        let folder = try TemporaryFolder()
        try Data("This is a letter, and no database at all.".utf8).write(to: folder.file())
        let path = folder.file().path
        #expect(
            await sqliteError { _ = try await SQLiteDatabase(path: path) }
                == .cannotOpen(path: path, code: 26, message: "file is not a database"))
    }

    @Test func noErrorCarriesTheValuesThatWereBound() async throws {
        let shelf = try await Shelf("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT CHECK (title <> 'secret'))")
        let error = await sqliteError { try await shelf.database.add("secret") }
        #expect(!"\(try #require(error))".replacing("title <> 'secret'", with: "").contains("secret"))
    }
}

// MARK: - Closing

extension SQLiteErrorTests {
    @Test func aClosedDatabaseSaysSo() async throws {
        let shelf = try await Shelf()
        let database = shelf.database
        let statement = try await database.prepare("SELECT * FROM books")
        try await database.close()
        try await database.close()
        let closed = SQLiteError.closed(path: shelf.folder.file().path)
        #expect(await sqliteError { try await database.execute("SELECT 1") } == closed)
        #expect(await sqliteError { _ = try await database.rows("SELECT 1") } == closed)
        #expect(await sqliteError { _ = try await statement.rows() } == closed)
        #expect(await sqliteError { try await database.withTransaction { _ in } } == closed)
        #expect(await sqliteError { try await database.forEachRow("SELECT 1") { _ in } } == closed)
    }

    @Test func closingWaitsForATransactionAndWhoWaitsBehindIsTold() async throws {
        let shelf = try await Shelf()
        let database = shelf.database
        let (closing, late) = try await database.withTransaction { db in
            try await db.add("a")
            let closing = Task.detached { try await database.close() }
            // Stands behind the one that closes, or comes when all is closed.
            let late = Task.detached {
                await sqliteError {
                    try await closing.value; try await database.add("b")
                }
            }
            try await db.add("c")
            return (closing, late)
        }
        try await closing.value
        #expect(await late.value == .closed(path: shelf.folder.file().path))
        let again = try await SQLiteDatabase(path: shelf.folder.file().path)
        #expect(try await again.titles() == [.text("a"), .text("c")])
    }

    @Test func whoWaitsAtADatabaseThatClosesIsTold() async throws {
        for _ in 0..<50 {
            let shelf = try await Shelf(sync: false)
            let outcomes = await withTaskGroup(of: SQLiteError?.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        await sqliteError {
                            guard number != 10 else { return try await shelf.database.close() }
                            try await shelf.database.withTransaction { try await $0.add("a") }
                        }
                    }
                }
                return await group.reduce(into: [SQLiteError?]()) { $0.append($1) }
            }
            let done = outcomes.filter { $0 == nil }.count - 1
            #expect(outcomes.allSatisfy { $0 == nil || $0 == .closed(path: shelf.folder.file().path) })
            let again = try await SQLiteDatabase(path: shelf.folder.file().path)
            #expect(try await again.titles().count == done)
        }
    }

    @Test func noOneClosesADatabaseThatTheyAreInside() async throws {
        let shelf = try await Shelf()
        let held = SQLiteError.heldByCaller(path: shelf.folder.file().path)
        try await shelf.database.withTransaction { db in
            #expect(await sqliteError { try await shelf.database.close() } == held)
            #expect(await sqliteError { try await db.close() } == held)
            try await db.add("a")
        }
        #expect(try await shelf.titles() == [.text("a")])
    }

    @Test func noHandleOfATransactionClosesTheDatabase() async throws {
        let shelf = try await Shelf()
        let kept = try await shelf.database.withTransaction { $0 }
        #expect(await sqliteError { try await kept.close() } == .heldByCaller(path: shelf.folder.file().path))
        try await shelf.database.add("a")
    }
}
