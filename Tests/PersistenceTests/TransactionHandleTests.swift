import StorageSQLite
import StorageTestSupport
import Testing

@testable import Persistence

private struct Failure: Error {}

/// Who may use which handle, and when.
@Suite(.timeLimit(.minutes(20))) struct TransactionHandleTests {
    @Test func aHandleIsOfNoUseOnceItsClosureHasReturned() async throws {
        let shelf = try await Shelf()
        let (kept, statement) = try await shelf.database.withTransaction { db in
            (db, try await db.prepare("SELECT * FROM books"))
        }
        #expect(await sqliteError { try await kept.add("a") } == .transactionEnded)
        #expect(await sqliteError { _ = try await kept.rows("SELECT 1") } == .transactionEnded)
        #expect(await sqliteError { _ = try await statement.rows() } == .transactionEnded)
        #expect(await sqliteError { try await kept.withTransaction { _ in } } == .transactionEnded)
        #expect(await sqliteError { try await kept.forEachRow("SELECT 1") { _ in } } == .transactionEnded)
        try await shelf.database.withTransaction { _ in
            #expect(await sqliteError { try await kept.add("a") } == .transactionEnded)
        }
        #expect(try await shelf.titles().isEmpty)
    }

    @Test func tasksThatBeginTheNextTransactionLeaveNothingBehind() async throws {
        let database = try await Shelf().database
        @Sendable func step(_ number: Int) async throws -> Int {
            let next = try await database.withTransaction { _ in
                number < 50 ? Task { try await step(number + 1) } : nil
            }
            return try await next?.value ?? Turn.ofClosures.count
        }
        // That of the transaction which began the last task.
        #expect(try await step(0) == 1)
    }

    @Test func aCallToTheOuterDatabaseIsAnErrorAndNoDeadlock() async throws {
        let shelf = try await Shelf(busyTimeout: .milliseconds(10))
        let database = shelf.database
        let held = SQLiteError.heldByCaller(path: shelf.folder.file().path)
        try await database.withTransaction { db in
            #expect(await sqliteError { try await database.add("a") } == held)
            #expect(await sqliteError { try await database.withTransaction { _ in } } == held)
            #expect(await sqliteError { try await database.forEachRow("SELECT 1") { _ in } } == held)
            async let child = sqliteError { try await database.add("a") }
            #expect(await child == held)
            await withTaskGroup(of: SQLiteError?.self) { group in
                group.addTask { await sqliteError { try await database.add("a") } }
                for await error in group { #expect(error == held) }
            }
            let task = Task { await sqliteError { try await database.add("a") } }
            #expect(await task.value == held)
            try await db.withTransaction { inner in
                #expect(await sqliteError { try await db.add("a") } == held)
                #expect(await sqliteError { try await database.add("a") } == held)
                try await inner.add("b")
            }
        }
        #expect(try await shelf.titles() == [.text("b")])
    }

    @Test func whoIsToWaitForEverWaitsForTheEndOfTheTransaction() async throws {
        let shelf = try await Shelf(busyTimeout: .seconds(Int64.max))
        let database = shelf.database
        let task = try await database.withTransaction { db in
            let task = Task { try await database.add("a") }
            // By then it stands in the line.
            for _ in 0..<20 { _ = try await db.rows("SELECT 1") }
            return task
        }
        try await task.value
        #expect(try await shelf.titles() == [.text("a")])
    }

    @Test func aTaskThatWasStartedInsideATransactionWaitsForOthersToo() async throws {
        // On a busy machine the transaction itself may take longer than its task waits for it: then it is tried with more time.
        for milliseconds in sequence(first: 100, next: { $0 < 400_000 ? $0 * 4 : nil }) {
            let shelf = try await Shelf(busyTimeout: .milliseconds(milliseconds))
            if try await hasWaited(inside: shelf.database) { return }
        }
        Issue.record("the task has not waited")
    }

    /// Whether a task that was started inside a transaction has waited for its end, and for that of the next one.
    private func hasWaited(inside database: SQLiteDatabase) async throws -> Bool {
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let (asked, asks) = AsyncStream.makeStream(of: Void.self)
        async let other: Void = {
            for await _ in begun {}
            asks.finish()
            try await database.withTransaction { db in
                // It takes as long as the first one's task waits at most.
                async let child = sqliteError { try await database.add("c") }
                #expect(await child != nil)
            }
        }()
        let task = try await database.withTransaction { db in
            begins.finish()
            for await _ in asked {}
            // The other one stands in the line long before these have run.
            for _ in 0..<20 { _ = try await db.rows("SELECT 1") }
            let (childAsked, childAsks) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                childAsks.finish()
                return await sqliteError { try await database.add("d") } == nil
            }
            for await _ in childAsked {}
            for _ in 0..<5 { _ = try await db.rows("SELECT 1") }
            return task
        }
        try await other
        return await task.value
    }

    @Test func aTaskThatWasStartedInsideATransactionWaitsForItsEnd() async throws {
        let shelf = try await Shelf(busyTimeout: .patience)
        let (asked, asks) = AsyncStream.makeStream(of: Void.self)
        let task = try await shelf.database.withTransaction { db in
            try await db.add("a")
            let task = Task {
                asks.finish()
                return try await shelf.titles()
            }
            for await _ in asked {}
            try await db.add("b")
            return task
        }
        #expect(try await task.value == [.text("a"), .text("b")])
    }

    @Test func aTaskThatOutlivesATransactionMayUseTheDatabaseAgain() async throws {
        let shelf = try await Shelf()
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let task = try await shelf.database.withTransaction { _ in
            Task {
                for await _ in gate {}
                try await shelf.database.add("a")
            }
        }
        opener.finish()
        try await task.value
        #expect(try await shelf.titles() == [.text("a")])
    }

    @Test func childTasksShareAHandle() async throws {
        let shelf = try await Shelf()
        try await shelf.database.withTransaction { db in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        guard number.isMultiple(of: 2) else { return try await db.add("a") }
                        try await db.withTransaction { inner in
                            try await inner.add("b")
                            await Task.yield()
                            try await inner.add("b")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(try await shelf.titles().count == 30)
    }

    @Test func transactionsOfTwoDatabasesMayBeNested() async throws {
        let one = try await Shelf()
        let other = try await Shelf()
        try await one.database.withTransaction { outer in
            try await other.database.withTransaction { inner in
                try await inner.add("a")
                try await outer.add("b")
            }
            try await other.database.add("c")
        }
        #expect(try await one.titles() == [.text("b")])
        #expect(try await other.titles() == [.text("a"), .text("c")])
    }

    @Test func anInnerTransactionThatOutlivesTheOuterIsUndone() async throws {
        let shelf = try await Shelf()
        let (begun, didBegin) = AsyncStream.makeStream(of: Void.self)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let (stray, waiting) = try await shelf.database.withTransaction { db in
            try await db.add("a")
            let stray = Task {
                await sqliteError {
                    try await db.withTransaction { inner in
                        try await inner.add("b")
                        didBegin.finish()
                        for await _ in gate {}
                        #expect(await sqliteError { try await inner.add("c") } == .transactionEnded)
                    }
                }
            }
            for await _ in begun {}
            let waiting = Task.detached { await sqliteError { try await db.add("d") } }
            return (stray, waiting)
        }
        #expect(try await shelf.titles() == [.text("a")])
        opener.finish()
        #expect(await stray.value == .transactionEnded)
        #expect(await waiting.value == .transactionEnded)
        #expect(try await shelf.titles() == [.text("a")])
    }

    @Test func anInnermostTransactionThatOutlivesTheInnerIsUndone() async throws {
        let shelf = try await Shelf()
        let (begun, didBegin) = AsyncStream.makeStream(of: Void.self)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        try await shelf.database.withTransaction { db in
            let stray = try await db.withTransaction { inner in
                try await inner.add("a")
                let stray = Task {
                    await sqliteError {
                        try await inner.withTransaction { innermost in
                            try await innermost.add("b")
                            didBegin.finish()
                            for await _ in gate {}
                        }
                    }
                }
                for await _ in begun {}
                return stray
            }
            opener.finish()
            #expect(await stray.value == .transactionEnded)
        }
        #expect(try await shelf.titles() == [.text("a")])
    }

    @Test func aWalkThatOutlivesItsTransactionEnds() async throws {
        let shelf = try await Shelf()
        let (begun, didBegin) = AsyncStream.makeStream(of: Void.self)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let stray = try await shelf.database.withTransaction { db in
            try await db.execute("INSERT INTO books (title) VALUES (zeroblob(1000000)), (zeroblob(1000000)), ('c')")
            let stray = Task {
                await sqliteError {
                    try await db.forEachRow("SELECT title FROM books") { _ in
                        didBegin.finish()
                        for await _ in gate {}
                    }
                }
            }
            for await _ in begun {}
            return stray
        }
        // Nothing reads any more: the file can be emptied.
        try await shelf.database.execute("DROP TABLE books; VACUUM")
        opener.finish()
        #expect(await stray.value == .transactionEnded)
    }
}

// MARK: - Cancellation

extension TransactionHandleTests {
    @Test func aTaskThatIsCancelledLeavesTheLine() async throws {
        let shelf = try await Shelf(sync: false)
        let database = shelf.database
        let last = try await database.withTransaction { db in
            let waiting = (0..<20).map { _ in Task.detached { try await database.add("cancelled") } }
            let last = Task.detached { try await database.add("last") }
            // Meanwhile they come to stand in the line.
            for _ in 0..<200 { try await db.execute("SELECT 1") }
            waiting.forEach { $0.cancel() }
            // They end while the transaction goes on.
            for task in waiting {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            try await db.add("first")
            return last
        }
        try await last.value
        #expect(try await shelf.titles() == [.text("first"), .text("last")])
    }

    @Test func whoIsCancelledAtItsTurnHandsItOn() async throws {
        let shelf = try await Shelf(sync: false)
        let database = shelf.database
        for _ in 0..<5 {
            let waiting = try await database.withTransaction { db in
                let waiting = (0..<20).map { _ in Task.detached { try await database.add("cancelled") } }
                for _ in 0..<200 { try await db.execute("SELECT 1") }
                waiting.forEach { $0.cancel() }
                return waiting
            }
            try await database.add("next")
            for task in waiting {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
        #expect(try await shelf.titles().count == 5)
    }

    @Test func aCancelledTaskRunsNothing() async throws {
        let shelf = try await Shelf()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await shelf.database.add("a") }
            await #expect(throws: CancellationError.self) { try await shelf.database.titles() }
            await #expect(throws: CancellationError.self) { try await shelf.database.withTransaction { _ in } }
            await #expect(throws: CancellationError.self) { try await shelf.database.close() }
        }
        await task.value
        #expect(try await shelf.titles().isEmpty)
    }

    @Test(arguments: [
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n",
        // With an end, so that a test that waits for its thread does not fill the disk meanwhile.
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO books (title) SELECT i FROM n LIMIT 20000000
        """,
    ])
    func aStatementWithoutEndIsInterrupted(_ sql: String) async throws {
        let shelf = try await Shelf(sync: false)
        let task = Task { try await shelf.database.execute(sql) }
        let reads = Task { try await shelf.database.withTransaction { try await $0.titles() } }
        await Task.yield()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await reads.value.isEmpty)
    }

    @Test func aCancelledChildUndoesNothingButItsOwn() async throws {
        let shelf = try await Shelf()
        try await shelf.database.withTransaction { db in
            try await db.add("a")
            let child = Task {
                try await db.withTransaction { inner in
                    try await inner.add("b")
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await inner.add("c")
                }
            }
            await #expect(throws: CancellationError.self) { try await child.value }
            try await db.add("d")
        }
        #expect(try await shelf.titles() == [.text("a"), .text("d")])
    }

    @Test func aCancelledWriteOfAChildDoesNotUndoTheTransaction() async throws {
        let shelf = try await Shelf(sync: false)
        try await shelf.database.withTransaction { db in
            try await db.add("a")
            let child = Task {
                try await db.execute(
                    """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
                    INSERT INTO books (title) SELECT 'b' FROM n
                    """)
            }
            for _ in 0..<20 { await Task.yield() }
            child.cancel()
            let added = try? await child.value
            try await db.execute("DELETE FROM books WHERE title = 'b'")
            #expect(added == nil || added == 300_000)
            try await db.add("c")
        }
        #expect(try await shelf.titles() == [.text("a"), .text("c")])
    }

    @Test func aCancelledReadOfAChildIsInterrupted() async throws {
        let shelf = try await Shelf()
        try await shelf.addCancel()
        try await shelf.database.withTransaction { db in
            let child = Task {
                try await db.execute(
                    """
                    WITH RECURSIVE n (i) AS (SELECT cancel() UNION ALL SELECT i + 1 FROM n LIMIT 100000)
                    SELECT SUM(i) FROM n
                    """)
            }
            await #expect(throws: CancellationError.self) { try await child.value }
            try await db.add("a")
        }
        #expect(try await shelf.titles() == [.text("a")])
    }

    @Test func aCancelledScriptOfAChildGoesNoFurther() async throws {
        let shelf = try await Shelf()
        try await shelf.addCancel()
        try await shelf.database.withTransaction { db in
            let child = Task { try await db.execute("SELECT cancel(); INSERT INTO books (title) VALUES ('a')") }
            await #expect(throws: CancellationError.self) { try await child.value }
            try await db.add("b")
        }
        #expect(try await shelf.titles() == [.text("b")])
    }
}

extension Shelf {
    /// Adds the SQL function `cancel()`, which cancels the task that runs the statement.
    fileprivate func addCancel() async throws {
        try await database.turnstile.perform(on: Turnstile.ground) { connection in
            connection.sqlite.addFunction("cancel", arguments: 0) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return .integer(0)
            }
        }
    }
}
