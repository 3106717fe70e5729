import Persistence
import StorageTestSupport
import Testing

/// SQLite carries out many a pragma while it compiles it. Here it is carried out when it is run, and only then.
@Suite struct PragmaTests {
    @Test(arguments: [
        "SELECT 1; PRAGMA foreign_keys = OFF", "PRAGMA foreign_keys = OFF; SELECT 1",
        " /* one */ pragma foreign_keys(0);; -- two\n SELECT 1", "EXPLAIN PRAGMA foreign_keys = OFF; nonsense",
        "EXPLAIN -- one\n QUERY PLAN PRAGMA foreign_keys = OFF; SELECT 1",
    ])
    func aTextThatIsRefusedChangesNoSetting(_ sql: String) async throws {
        let shelf = try await Shelf()
        #expect(await sqliteError { _ = try await shelf.database.rows(sql) } == .notOneStatement(sql: sql))
        #expect(await sqliteError { _ = try await shelf.database.prepare(sql) } == .notOneStatement(sql: sql))
        #expect(await sqliteError { try await shelf.database.forEachRow(sql) { _ in } } == .notOneStatement(sql: sql))
        #expect(try await shelf.setting("foreign_keys") == .integer(1))
    }

    @Test func aPragmaBehindAStatementThatFailsIsNotRun() async throws {
        let shelf = try await Shelf()
        let script = "INSERT INTO books VALUES (1, 'a'), (1, 'b'); PRAGMA foreign_keys = OFF"
        #expect(await sqliteError { try await shelf.database.execute(script) } != nil)
        #expect(try await shelf.setting("foreign_keys") == .integer(1))
    }

    @Test func aPragmaInAScriptIsRunInItsTurn() async throws {
        let shelf = try await Shelf()
        try await shelf.database.execute("INSERT INTO books VALUES (1, 'a'); PRAGMA foreign_keys = OFF; SELECT 1")
        #expect(try await shelf.setting("foreign_keys") == .integer(0))
    }

    @Test func preparingAPragmaDoesNotRunIt() async throws {
        let shelf = try await Shelf()
        let statement = try await shelf.database.prepare("PRAGMA foreign_keys = OFF")
        #expect(statement.parameterCount == 0 && statement.columns.isEmpty)
        #expect(try await shelf.setting("foreign_keys") == .integer(1))
        try await statement.execute()
        #expect(try await shelf.setting("foreign_keys") == .integer(0))
    }

    @Test func aPreparedPragmaGivesItsRows() async throws {
        let shelf = try await Shelf()
        let statement = try await shelf.database.prepare("PRAGMA table_info(books)")
        #expect(try await statement.rows().map { $0.value("name") } == [.text("id"), .text("title")])
    }

    @Test func aPragmaThatIsGivenValuesIsNotRun() async throws {
        let shelf = try await Shelf()
        let sql = "PRAGMA foreign_keys = OFF"
        #expect(
            await sqliteError { try await shelf.database.execute(sql, [.null]) }
                == .bindingCount(expected: 0, given: 1, sql: sql))
        #expect(try await shelf.setting("foreign_keys") == .integer(1))
    }

    @Test func aPragmaThatComesAgainIsRunAgain() async throws {
        let shelf = try await Shelf()
        for pages in [100, 200, 100, 200] as [Int64] {
            try await shelf.database.execute("PRAGMA cache_size = \(pages)")
            #expect(try await shelf.setting("cache_size") == .integer(pages))
        }
    }

    @Test func aPragmaThatWritesIsNotWalked() async throws {
        let shelf = try await Shelf()
        let sql = "PRAGMA user_version = 5"
        #expect(await sqliteError { try await shelf.database.forEachRow(sql) { _ in } } == .notReadOnly(sql: sql))
        #expect(try await shelf.setting("user_version") == .integer(0))
    }

    @Test func aPragmaThatIsWrongIsNamed() async throws {
        let shelf = try await Shelf()
        let sql = "PRAGMA foreign_keys = "
        for use in [
            { _ = try await shelf.database.rows(sql) }, { _ = try await shelf.database.prepare(sql) },
            { try await shelf.database.execute(sql) },
        ] as [() async throws -> Void] {
            #expect(
                await sqliteError(use) == .sqlite(code: 1, message: "incomplete input", sql: "PRAGMA foreign_keys ="))
        }
    }
}

extension Shelf {
    fileprivate func setting(_ name: String) async throws -> SQLiteValue? {
        try await database.rows("PRAGMA \(name)").first?.values.first
    }
}
