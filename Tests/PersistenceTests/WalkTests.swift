import Persistence
import StorageTestSupport
import Testing

private struct Failure: Error {}

@Suite(.timeLimit(.minutes(20))) struct WalkTests {
    private static let numbers =
        "WITH RECURSIVE n (i) AS (SELECT 1 WHERE ?1 > 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)"

    private func shelf(books: Int) async throws -> Shelf {
        let shelf = try await Shelf(sync: false)
        try await shelf.database.execute(
            "\(WalkTests.numbers) INSERT INTO books SELECT i, 'Volume ' || i FROM n", [.integer(Int64(books))])
        return shelf
    }

    @Test(arguments: [0, 1, 255, 256, 257, 512, 1000])
    func everyRowIsReadOnceAndInOrder(_ count: Int) async throws {
        let shelf = try await shelf(books: count)
        var ids: [SQLiteValue] = []
        try await shelf.database.forEachRow("SELECT id FROM books ORDER BY id") { ids.append($0.values[0]) }
        #expect(ids == (0..<count).map { .integer(Int64($0) + 1) })
        try await shelf.database.add("after")
    }

    @Test func aMillionRowsAreWalkedInBoundedMemory() async throws {
        let shelf = try await shelf(books: 1_000_000)
        #expect(try await walk("SELECT * FROM books", on: shelf, rows: 1_000_000) < 10_000)
    }

    @Test func largeValuesAreReadFewAtATime() async throws {
        let shelf = try await shelf(books: 300)
        #expect(try await walk("SELECT zeroblob(1000000) FROM books", on: shelf, rows: 300) < 20_000)
    }

    /// By how many kB a process grows that walks through rows.
    private func walk(_ sql: String, on shelf: Shelf, rows: Int) async throws -> Int {
        let process = try ChildProcess("walk", shelf.folder.file().path, sql)
        #expect(try await process.line("rows ") == "\(rows)")
        return try #require(Int(try await process.line("grown ")))
    }

    @Test func theRowsAreOfOneStateAndOthersWait() async throws {
        let shelf = try await shelf(books: 600)
        let database = shelf.database
        var count = 0
        var others: [Task<Void, any Error>] = []
        try await database.forEachRow("SELECT * FROM books") { _ in
            count += 1
            if count.isMultiple(of: 100) { others.append(Task.detached { try await database.add("other") }) }
            await Task.yield()
        }
        #expect(count == 600)
        for other in others { try await other.value }
        #expect(try await shelf.titles().count == 606)
    }

    @Test func aCallToTheDatabaseFromAWalkIsAnError() async throws {
        let shelf = try await shelf(books: 1)
        let held = SQLiteError.heldByCaller(path: shelf.folder.file().path)
        try await shelf.database.forEachRow("SELECT * FROM books") { _ in
            #expect(await sqliteError { try await shelf.database.add("b") } == held)
        }
        try await shelf.database.withTransaction { db in
            try await db.forEachRow("SELECT * FROM books") { _ in
                #expect(await sqliteError { try await db.add("b") } == held)
            }
            try await db.add("c")
        }
        #expect(try await shelf.titles().count == 2)
    }

    @Test func throwingEndsAWalk() async throws {
        let shelf = try await shelf(books: 1000)
        var count = 0
        await #expect(throws: Failure.self) {
            try await shelf.database.forEachRow("SELECT * FROM books") { _ in
                count += 1
                if count == 300 { throw Failure() }
            }
        }
        #expect(count == 300)
        try await shelf.database.execute("DROP TABLE books; VACUUM")
    }

    @Test func cancellingEndsAWalk() async throws {
        let shelf = try await shelf(books: 1000)
        let task = Task {
            var count = 0
            await #expect(throws: CancellationError.self) {
                try await shelf.database.forEachRow("SELECT * FROM books") { _ in
                    count += 1
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            return count
        }
        #expect(await task.value == 1)
        try await shelf.database.execute("DROP TABLE books; VACUUM")
    }

    @Test func onlyWhatChangesNothingCanBeWalked() async throws {
        let shelf = try await shelf(books: 3)
        for sql in ["DELETE FROM books RETURNING id", "BEGIN", "INSERT INTO books (title) VALUES ('a')"] {
            #expect(
                await sqliteError { try await shelf.database.forEachRow(sql) { _ in } } == .notReadOnly(sql: sql))
        }
        #expect(await sqliteError { try await shelf.database.forEachRow("SELECT ?") { _ in } } != nil)
        #expect(await sqliteError { try await shelf.database.forEachRow("nonsense") { _ in } } != nil)
        #expect(try await shelf.titles().count == 3)
    }
}
