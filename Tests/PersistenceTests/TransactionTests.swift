import Persistence
import StorageTestSupport
import Testing

private struct Failure: Error {}

@Suite(.timeLimit(.minutes(20))) struct TransactionTests {
    @Test func whatATransactionDidStays() async throws {
        let shelf = try await Shelf()
        let count = try await shelf.database.withTransaction { db in
            try await db.add("a")
            try await db.add("b")
            return try await db.titles().count
        }
        #expect(count == 2)
        #expect(try await shelf.titles() == [.text("a"), .text("b")])
    }

    @Test func throwingUndoesEverything() async throws {
        let shelf = try await Shelf()
        await #expect(throws: Failure.self) {
            try await shelf.database.withTransaction { db in
                try await db.add("a")
                try await db.withTransaction { try await $0.add("b") }
                throw Failure()
            }
        }
        #expect(try await shelf.titles().isEmpty)
    }

    @Test func cancellingUndoesEverything() async throws {
        let shelf = try await Shelf()
        let task = Task {
            try await shelf.database.withTransaction { db in
                try await db.add("a")
                withUnsafeCurrentTask { $0?.cancel() }
                // Returns as if nothing had happened.
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await shelf.titles().isEmpty)
    }

    /// The busy timeout is longer than the test may take.
    @Test(.timeLimit(.minutes(20))) func whoWaitsForALockOfAnotherConnectionCanBeCancelled() async throws {
        let shelf = try await Shelf()
        let other = try await SQLiteDatabase(path: shelf.folder.file().path, busyTimeout: .seconds(3600))
        try await shelf.database.withTransaction { db in
            try await db.add("a")
            for yields in 0..<40 {
                let waiting = Task {
                    if yields.isMultiple(of: 2) {
                        try await other.execute("DELETE FROM books")
                    } else {
                        try await other.withTransaction { try await $0.execute("DELETE FROM books") }
                    }
                }
                for _ in 0..<yields * 2 { await Task.yield() }
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
            }
        }
        #expect(try await shelf.titles() == [.text("a")])
    }

    @Test func anInnerTransactionIsUndoneAlone() async throws {
        let shelf = try await Shelf()
        try await shelf.database.withTransaction { db in
            try await db.add("a")
            await #expect(throws: Failure.self) {
                try await db.withTransaction { inner in
                    try await inner.add("b")
                    try await inner.withTransaction { try await $0.add("c") }
                    throw Failure()
                }
            }
            try await db.withTransaction { try await $0.add("d") }
        }
        #expect(try await shelf.titles() == [.text("a"), .text("d")])
    }

    @Test func othersWaitUntilATransactionHasEnded() async throws {
        let shelf = try await Shelf()
        let database = shelf.database
        let other = try await database.withTransaction { db in
            let other = Task.detached { try await database.add("other") }
            for _ in 0..<100 {
                await Task.yield()
                try await db.add("inside")
            }
            return other
        }
        try await other.value
        #expect(try await shelf.titles().last == .text("other"))
    }

    @Test func aStatementThatFailsLeavesTheTransactionToGoOn() async throws {
        let shelf = try await Shelf()
        try await shelf.database.withTransaction { db in
            try await db.add("a")
            #expect(await sqliteError { try await db.execute("INSERT INTO books VALUES (1, 'b')") } != nil)
            try await db.add("c")
        }
        #expect(try await shelf.titles() == [.text("a"), .text("c")])
    }

    @Test func aTransactionThatCannotBeCommittedIsUndone() async throws {
        let shelf = try await Shelf(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY);
            CREATE TABLE b (a REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED)
            """)
        let error = await sqliteError {
            try await shelf.database.withTransaction { db in
                _ = try await db.execute("INSERT INTO b VALUES (1)")
            }
        }
        #expect(error == .sqlite(code: 787, message: "FOREIGN KEY constraint failed", sql: "COMMIT"))
        #expect(try await shelf.database.rows("SELECT * FROM b").isEmpty)
        try await shelf.database.withTransaction { try await $0.execute("INSERT INTO a VALUES (1)") }
    }

    @Test func aTransactionThatSQLiteUndoesSaysSo() async throws {
        let shelf = try await Shelf()
        try await shelf.database.add("z")
        let error = await sqliteError {
            try await shelf.database.withTransaction { db in
                try await db.add("a")
                let conflict = await sqliteError {
                    try await db.execute("INSERT OR ROLLBACK INTO books VALUES (1, 'b')")
                }
                #expect(conflict != nil)
                #expect(await sqliteError { try await db.add("c") } == .transactionLost)
                #expect(await sqliteError { try await db.withTransaction { _ in } } == .transactionLost)
            }
        }
        #expect(error == .transactionLost)
        #expect(try await shelf.titles() == [.text("z")])
    }

    @Test(arguments: ["COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT x", "RELEASE persistence_0", "/* no */ END; SELECT 1"])
    func noSQLEndsATransaction(_ sql: String) async throws {
        let shelf = try await Shelf()
        await #expect(throws: Failure.self) {
            try await shelf.database.withTransaction { db in
                try await db.add("a")
                let error = await sqliteError { try await db.execute(sql) }
                guard case .transactionControl? = error else {
                    Issue.record("unexpected: \(String(describing: error))")
                    return
                }
                throw Failure()
            }
        }
        #expect(try await shelf.titles().isEmpty)
    }

    @Test func aScriptMayBringItsOwnTransactionAndHasToEndIt() async throws {
        let shelf = try await Shelf()
        try await shelf.database.execute("BEGIN; INSERT INTO books VALUES (1, 'a'); COMMIT")
        let script = "BEGIN; INSERT INTO books VALUES (2, 'b')"
        #expect(await sqliteError { try await shelf.database.execute(script) } == .transactionLeftOpen(sql: script))
        #expect(await sqliteError { try await shelf.database.execute("\(script); nonsense") } != nil)
        #expect(await sqliteError { _ = try await shelf.database.rows("BEGIN") } == .transactionLeftOpen(sql: "BEGIN"))
        #expect(try await shelf.titles() == [.text("a")])
        try await shelf.database.withTransaction { try await $0.add("c") }
    }

    @Test @MainActor func theClosureRunsOnTheActorOfTheCaller() async throws {
        let shelf = try await Shelf()
        var seen = 0
        try await shelf.database.withTransaction { db in
            MainActor.assertIsolated()
            try await db.add("a")
            seen += 1
        }
        try await shelf.database.forEachRow("SELECT * FROM books") { _ in
            MainActor.assertIsolated()
            seen += 1
        }
        #expect(seen == 2)
    }
}
