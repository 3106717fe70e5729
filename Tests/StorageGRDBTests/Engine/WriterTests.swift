import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// The queue in front of the connection that writes, and the commits that writes share.
@Suite(.timeLimit(.minutes(20))) struct WriterTests {
    private let store: TemporaryStore
    private let commits = CommitCount()

    private final class CommitCount: TransactionObserver, Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) { number.withLock { $0 += 1 } }
        func databaseDidRollback(_ db: Database) {}
    }

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        store.db.pool.add(transactionObserver: commits)
    }

    private func save(_ id: String, age: Int = 0) -> DatabaseActor.Call {
        { [storage = store.storage] in try await storage.save(TestUser(id, age: age)) }
    }

    private func trigger(_ body: String) async throws {
        try await store.db.write { try $0.execute(sql: "CREATE TRIGGER test \(body)") }
    }

    private var ids: [String] {
        get async throws { try await store.storage.all(TestUser.self).map(\.id) }
    }

    // MARK: - Turns

    @Test func aWriteRunsOnTheCallingThreadWhileNobodyElseWrites() throws {
        let thread = ObjectIdentifier(Thread.current)
        var ran: ObjectIdentifier?
        #expect(try store.db.writeAtOnce { _ in ran = ObjectIdentifier(Thread.current) })
        #expect(ran == thread)
    }

    @Test func aWriteDoesNotWaitOnTheCallingThread() async throws {
        let rest = Rest()
        async let long: Void = store.db.write { _ in rest.enter() }
        await rest.begun()
        #expect(try !store.db.writeAtOnce { _ in Issue.record("it writes") })
        rest.leave()
        try await long
        #expect(try store.db.writeAtOnce { _ in })
    }

    @Test func aWriteDoesNotWaitForTheAppsOwnTransactionOnTheCallingThread() async throws {
        let rest = Rest()
        let pool = store.db.pool
        async let long: Void = pool.write { db in
            try db.execute(sql: "INSERT INTO testusers VALUES ('raw', '', 0, NULL, 1, '')")
            rest.enter()
        }
        await rest.begun()
        let isDone = Mutex<Bool?>(nil)
        DispatchQueue(label: "caller").async { [db = store.db] in
            let done = try? db.writeAtOnce { _ in }
            isDone.withLock { $0 = done }
        }
        defer { rest.leave() }
        try await untilTrue { isDone.withLock { $0 } != nil }
        #expect(isDone.withLock { $0 } == false)
        rest.leave()
        try await long
    }

    @Test func aWriteDoesNotWaitForAnotherProcessOnTheCallingThread() async throws {
        try await withWriteLock(on: store.url) {
            let isDone = try store.db.writeAtOnce { try $0.execute(sql: "DELETE FROM testusers") }
            #expect(!isDone)
        }
    }

    @Test func afterAnErrorTheNextWriteRuns() async throws {
        struct Mine: Error {}
        #expect(throws: Mine.self) { try store.db.writeAtOnce { _ in throw Mine() } }
        await #expect(throws: Mine.self) { try await store.db.writer.queue(.init { _ in throw Mine() }) }
        await #expect(throws: Mine.self) { try await store.db.withWriter { _ in throw Mine() } }
        #expect(try store.db.writeAtOnce { _ in })
    }

    @Test func writesRunInTheOrderTheyCame() async throws {
        let order = Mutex<[Int]>([])
        let note = { @Sendable (number: Int) in order.withLock { $0.append(number) } }
        let results = try await store.db.queued([
            { [db = store.db] in try await db.writer.queue(.init { _ in note(1) }) },
            { [db = store.db] in try await db.write { _ in note(2) } },
            { [db = store.db] in try await db.writer.queue(.init { _ in note(3) }) },
            { [db = store.db] in try await db.writer.queue(.init { _ in note(4) }) },
            { [db = store.db] in try await db.withWriter { _ in note(5) } },
        ])
        #expect(results.allSatisfy { $0.isSuccess })
        #expect(order.withLock { $0 } == [1, 2, 3, 4, 5])
    }

    @Test func theConnectionIsHandedOnWhileAllThreadsThatTasksShareAreTaken() async throws {
        let rest = Rest()
        let held = Task(priority: .high) { try await store.db.withWriter { _ in rest.enter() } }
        await rest.begun()
        let ran = DispatchSemaphore(value: 0)
        var writes: [Task<Void, any Error>] = []
        for _ in 0..<5 {
            writes.append(Task(priority: .high) { try await store.db.write { _ in _ = ran.signal() } })
            try await untilTrue { store.db.writer.waitingCount == writes.count }
        }
        let all = Mutex(false)
        let areTaken = await whileSharedThreadsAreTaken(of: .high) {
            rest.leave()
            all.withLock { $0 = (0..<5).allSatisfy { _ in ran.wait(timeout: .now() + 60) == .success } }
        }
        if !areTaken { rest.leave() }
        #expect(areTaken && all.withLock { $0 })
        try await held.value
        for write in writes { try await write.value }
    }

    // MARK: - Groups

    @Test func writesThatWaitShareACommit() async throws {
        let before = commits.count
        let results = try await store.db.queued((0..<10).map { save("\($0)") })
        #expect(results.allSatisfy { $0.isSuccess })
        #expect(commits.count == before + 1)
        #expect(try await ids.count == 10)
    }

    @Test func aGroupHasABound() async throws {
        let before = commits.count
        let count = Writer.largestGroup + 2
        let results = try await store.db.queued((0..<count).map { save("\($0)") })
        #expect(results.allSatisfy { $0.isSuccess })
        #expect(commits.count == before + 2)
        #expect(try await ids.count == count)
    }

    @Test func aWriteThatFailsIsAloneWithItsError() async throws {
        try await trigger("BEFORE INSERT ON testusers WHEN NEW.id = 'b' BEGIN SELECT RAISE(ABORT, 'no b'); END")
        let results = try await store.db.queued([save("a"), save("b"), save("c")])
        #expect(results.map(\.message) == [nil, "no b", nil])
        #expect(try await ids == ["a", "c"])
    }

    @Test func aWriteThatFailsHalfwayLeavesNothing() async throws {
        struct Mine: Error {}
        let insertion = "INSERT INTO testusers VALUES ('half', '', 0, NULL, 1, '')"
        let results = try await store.db.queued([
            save("a"),
            { [db = store.db] in
                try await db.writer.queue(
                    .init { db in
                        try db.atomically {
                            try db.execute(sql: insertion)
                            throw Mine()
                        }
                    })
            },
            save("b"),
        ])
        #expect(results.map(\.isSuccess) == [true, false, true])
        #expect(try await ids == ["a", "b"])
    }

    @Test func aWriteThatEndsTheTransactionCostsTheOthersNothing() async throws {
        try await trigger("BEFORE INSERT ON testusers WHEN NEW.id = 'b' BEGIN SELECT RAISE(ROLLBACK, 'all'); END")
        let undone = Mutex(0)
        let results = try await store.db.queued([
            save("a"),
            { [db = store.db] in
                try await db.writer.queue(.init(body: { _ in }, ifUndone: { undone.withLock { $0 += 1 } }))
            },
            save("b"), save("c"), save("d"),
        ])
        #expect(results.map(\.message) == [nil, nil, "all", nil, nil])
        #expect(try await ids == ["a", "c", "d"])
        #expect(undone.withLock { $0 } == 1)
    }

    @Test func whatFailedInATransactionThatIsLostRunsOnceMore() async throws {
        struct Mine: Error {}
        try await trigger("BEFORE INSERT ON testusers WHEN NEW.id = 'b' BEGIN SELECT RAISE(ROLLBACK, 'all'); END")
        let runs = Mutex(0)
        let failsOnce: DatabaseActor.Call = { [db = store.db] in
            try await db.writer.queue(
                .init { _ in
                    runs.withLock { $0 += 1 }
                    if runs.withLock({ $0 }) == 1 { throw Mine() }
                })
        }
        let results = try await store.db.queued([save("a"), failsOnce, save("b")])
        #expect(results.map(\.message) == [nil, nil, "all"])
        #expect(runs.withLock { $0 } == 2)
    }

    @Test func aWriteThatBreaksADeferredKeyIsAloneWithItsError() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE notes (user TEXT REFERENCES testusers (id) DEFERRABLE INITIALLY DEFERRED);
                    CREATE TRIGGER test AFTER INSERT ON testusers WHEN NEW.id = 'b'
                    BEGIN INSERT INTO notes VALUES ('nobody'); END
                    """)
        }
        let results = try await store.db.queued([save("a"), save("b"), save("c")])
        #expect(results.map(\.message) == [nil, "FOREIGN KEY constraint failed", nil])
        #expect(try await ids == ["a", "c"])
    }

    @Test func aCommitThatFailsIsEverybodysError() async throws {
        let refusal = CommitRefusal()
        store.db.pool.add(transactionObserver: refusal)
        let results = try await store.db.queued([save("a"), save("b")])
        #expect(results.allSatisfy { $0.message?.contains("CommitRefused") == true }, "\(results)")
        store.db.pool.remove(transactionObserver: refusal)
        #expect(try await ids == [])
        try await store.storage.save(TestUser("c"))
        #expect(try await ids == ["c"])
    }

    @Test func nobodyHearsOfWritesOfOthersThatWereNotCommitted() async throws {
        let refusal = CommitRefusal()
        store.db.pool.add(transactionObserver: refusal)
        let storage = store.storage
        let results = try await store.db.queued([
            save("a"), { try await storage.insert(TestUser("a")) },
        ])
        #expect(results.allSatisfy { $0.message?.contains("CommitRefused") == true }, "\(results)")
        store.db.pool.remove(transactionObserver: refusal)
    }

    private final class CommitRefusal: TransactionObserver, Sendable {
        struct CommitRefused: Error {}
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseWillCommit() throws { throw CommitRefused() }
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
    }

    @Test func aGroupThatCannotBeginIsEverybodysError() async throws {
        let store = try TemporaryStore(options: { $0.pool.configure = { $0.busyMode = .timeout(0.01) } }) {
            $0.autoSchema(TestUserRecord.self)
        }
        let storage = store.storage
        try await withWriteLock(on: store.url) {
            let results = try await store.db.queued([
                { try await storage.save(TestUser("a")) }, { try await storage.save(TestUser("b")) },
            ])
            #expect(results.map { $0.message ?? "" } == ["database is locked", "database is locked"])
        }
        try await storage.save(TestUser("c"))
        #expect(try await storage.all(TestUser.self).map(\.id) == ["c"])
    }

    /// Outside of a transaction SQLite keeps what a statement did before RAISE(FAIL), and commits it.
    @Test func aWriteAloneThatFailsHalfwayLeavesNothing() async throws {
        try await trigger("AFTER INSERT ON testusers BEGIN SELECT RAISE(FAIL, 'no'); END")
        await #expect(throws: StorageError.self) { try await store.storage.save(TestUser("a")) }
        let ids = try await ids
        #expect(ids == [])
    }

    @Test func aWriteAloneThatFailsHalfwayLeavesNothingThoughLIKEKnowsCapitals() async throws {
        let store = try TemporaryStore(
            options: { $0.pool.preset.pragmas.append("PRAGMA case_sensitive_like = ON") },
            schema: { $0.autoSchema(TestUserRecord.self) })
        try await store.db.write {
            try $0.execute(sql: "CREATE TRIGGER test AFTER INSERT ON testusers BEGIN SELECT RAISE(FAIL, 'no'); END")
        }
        await #expect(throws: StorageError.self) { try await store.storage.save(TestUser("a")) }
        let ids = try await store.storage.all(TestUser.self).map(\.id)
        #expect(ids == [])
    }

    /// A trigger's statement may be told to fail halfway, and so may a constraint: no word of RAISE is needed.
    private func failHalfway(_ mark: String, of column: String) async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE marks (mark INTEGER \(column)); INSERT INTO marks VALUES (1);
                    CREATE TRIGGER test AFTER INSERT ON testusers WHEN NEW.id = 'b' BEGIN \(mark) INTO marks VALUES (1); END
                    """)
        }
    }

    @Test(arguments: [("INSERT OR FAIL", "UNIQUE"), ("INSERT", "UNIQUE ON CONFLICT FAIL")])
    func aStatementThatIsToldToFailHalfwayLeavesNothing(_ mark: String, _ column: String) async throws {
        try await failHalfway(mark, of: column)
        await #expect(throws: StorageError.self) { try await store.storage.save(TestUser("b")) }
        #expect(try await ids == [])
        let results = try await store.db.queued([save("a"), save("b"), save("c")])
        #expect(results.map(\.isSuccess) == [true, false, true])
        #expect(try await ids == ["a", "c"])
        try await store.storage.transaction { tx in
            #expect(throws: StorageError.self) { try tx.save(TestUser("b")) }
            try tx.save(TestUser("d"))
        }
        #expect(try await ids == ["a", "c", "d"])
    }

    /// A statement that breaks a key which is checked at the commit has not failed yet, and no savepoint undoes it.
    @Test func whatAWriteThatBreaksADeferredKeySavedIsInNoCache() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE notes (user TEXT REFERENCES testusers (id) DEFERRABLE INITIALLY DEFERRED);
                    CREATE TRIGGER test AFTER INSERT ON testusers WHEN NEW.id = 'b'
                    BEGIN INSERT INTO notes VALUES ('nobody'); END
                    """)
        }
        _ = try await store.db.queued([save("a", age: 1), save("b", age: 1), save("c", age: 1)])
        for (id, age) in [("a", 1), ("b", nil), ("c", 1)] {
            #expect(try await store.storage.get(TestUser.self, id: id)?.age == age)
        }
    }

    private struct RepairFailure: Error {}

    /// Counts repairs, of which the first ones fail.
    private final class Repairs: Sendable {
        private let number = Mutex(0)
        private let failing: Int
        var count: Int { number.withLock { $0 } }

        init(failing: Int) {
            self.failing = failing
        }

        func run() throws {
            let count = number.withLock { number in
                number += 1
                return number
            }
            if count <= failing { throw RepairFailure() }
        }
    }

    /// A connection of its own, whose transaction SQLite has rolled back by itself.
    private func dueForRepair(_ repairs: Repairs) async throws -> DatabaseActor {
        try await trigger("BEFORE INSERT ON testusers BEGIN SELECT RAISE(ROLLBACK, 'all'); END")
        let db = DatabaseActor(
            try GRDB.DatabasePool(path: store.url.path), watchesOtherProcesses: false, mayRestartQueries: true,
            monitor: nil
        ) { _ in try repairs.run() }
        await #expect(throws: DatabaseError.self) {
            try await db.write { try $0.execute(sql: "INSERT INTO testusers VALUES ('a', '', 0, NULL, 1, '')") }
        }
        return db
    }

    @Test func aRepairThatFailsIsTriedAgainBeforeTheNextWrite() async throws {
        let repairs = Repairs(failing: 2)
        let db = try await dueForRepair(repairs)
        await #expect(throws: RepairFailure.self) { try await db.write { _ in } }
        try await db.write { _ in }
        #expect(repairs.count == 3)
    }

    @Test func aRepairThatFailedIsTriedAgainBeforeABriefWriteToo() async throws {
        let repairs = Repairs(failing: 1)
        let db = try await dueForRepair(repairs)
        #expect(repairs.count == 1)
        #expect(try db.writeAtOnce { _ in })
        #expect(repairs.count == 2)
    }

    // MARK: - Cancelling and closing

    @Test func aWriteThatIsCancelledWhileItWaitsIsTakenOut() async throws {
        let results = try await store.db.queued([save("a"), save("b"), save("c")]) { tasks in
            tasks[1].cancel()
            try await untilTrue { store.db.writer.waitingCount == 2 }
        }
        #expect(results.map(\.isSuccess) == [true, false, true])
        #expect(throws: CancellationError.self) { try results[1].get() }
        #expect(try await ids == ["a", "c"])
    }

    @Test func writesThatAreCancelledWhileTheyWaitTakeNoTurn() async throws {
        let before = commits.count
        let results = try await store.db.queued([
            save("a"), { [db = store.db] in try await db.write { _ in _ = Issue.record("it writes") } }, save("b"),
        ]) { tasks in
            tasks.forEach { $0.cancel() }
            try await untilTrue { store.db.writer.waitingCount == 0 }
        }
        #expect(results.map(\.isSuccess) == [false, false, false])
        try await untilTrue { store.db.writer.isIdle }
        #expect(commits.count == before)
    }

    @Test func aWriteThatIsCancelledInItsGroupIsDone() async throws {
        let rest = Rest()
        async let saved = store.db.queued([
            { [db = store.db] in try await db.writer.queue(.init { _ in rest.enter() }) }, save("a"),
        ]) { tasks in
            Task {
                await rest.begun()
                tasks.forEach { $0.cancel() }
                rest.leave()
            }
        }
        #expect(try await saved.map(\.isSuccess) == [true, true])
        #expect(try await ids == ["a"])
    }

    @Test func aBatchThatIsCancelledInTheMidstOfItsRowsThrowsCancellationErrorAndLeavesNothing() async throws {
        let task = Mutex<Task<Void, any Error>?>(nil)
        let begun = AsyncStream<Void>.makeStream()
        try await store.db.pool.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("cancelled", argumentCount: 0) { _ in
                    task.withLock { $0?.cancel() }
                    return nil
                })
        }
        try await trigger("AFTER INSERT ON testusers WHEN NEW.id = 'c' BEGIN SELECT cancelled(); END")
        task.withLock {
            $0 = Task { [storage = store.storage] in
                for await _ in begun.stream { break }
                try await storage.save((0..<100).map { TestUser($0 == 50 ? "c" : "\($0)") })
            }
        }
        begun.continuation.yield()
        let saving = task.withLock { $0 }
        await #expect(throws: CancellationError.self) { try await saving?.value }
        #expect(try await ids == [])
    }

    @Test func whoeverWaitsWhenTheStoreClosesIsToldSo() async throws {
        let rest = Rest()
        async let held: Void = store.db.withWriter { _ in rest.enter() }
        await rest.begun()
        let waiting = [save("a"), save("b")].map { call in Task { try await call() } }
        try await untilTrue { store.db.writer.waitingCount == 2 }
        async let closed: Void = onThread { [db = store.db] in try db.close() }
        for task in waiting {
            let result = await task.result
            #expect(result.message == "the store is closed")
        }
        rest.leave()
        try await held
        try await closed
        await #expect(throws: StorageError.self) { try await store.storage.save(TestUser("c")) }
    }

    @Test func aStoreMayBeClosedTwice() throws {
        try store.db.close()
        try store.db.close()
    }

    // MARK: - Caches

    @Test func whatAGroupSavesIsInMemory() async throws {
        _ = try await store.db.queued([save("a", age: 1), save("b", age: 2)])
        try await store.db.write { try $0.execute(sql: "SELECT 1") }
        let before = await store.context.cacheStatistics().memory.hits
        #expect(try await store.storage.get(TestUser.self, id: "a")?.age == 1)
        #expect(try await store.storage.get(TestUser.self, id: "b")?.age == 2)
        #expect(await store.context.cacheStatistics().memory.hits == before + 2)
    }

    @Test func whatAGroupSavesTwiceIsReadAsItWasSavedLast() async throws {
        _ = try await store.db.queued([save("a", age: 1), save("a", age: 2)])
        #expect(try await store.storage.get(TestUser.self, id: "a")?.age == 2)
    }

    @Test func whatFailsInAGroupIsInNoCache() async throws {
        try await store.storage.save(TestUser("a", age: 1))
        try await trigger("AFTER UPDATE ON testusers WHEN NEW.age = 2 BEGIN SELECT RAISE(ABORT, 'no'); END")
        _ = try await store.storage.get(TestUser.self, id: "a")
        _ = try await store.db.queued([save("a", age: 2), save("b")])
        #expect(try await store.storage.get(TestUser.self, id: "a")?.age == 1)
    }
}
