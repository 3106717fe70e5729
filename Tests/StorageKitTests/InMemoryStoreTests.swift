import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

@Suite struct InMemoryStoreTests {
    private let context: StorageKit.Context
    private var storage: Storage { context.facade }

    init() throws {
        context = try StorageKit.startInMemory { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
    }

    @Test func whatIsSavedIsFoundAndObserved() async throws {
        let users = StreamProbe(storage.observeAll(TestUser.self))
        #expect(try await users.next().isEmpty)
        try await storage.save(TestUser("1", name: "ada"))
        #expect(try await users.next().map(\.name) == ["ada"])
        #expect(try await storage.get(TestUser.self, id: "1")?.name == "ada")
        #expect(try await storage.query(TestUser.self).where { $0.name == "ada" }.count() == 1)
    }

    /// No pages are written there that would tell.
    @Test(arguments: ["temp.log", "extra.log"])
    func aCommitThatChangesNoRowOfTheStoreIsReadToo(table: String) async throws {
        try await context.storage.pool.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH ':memory:' AS extra; CREATE TABLE \(table) (text)")
        }
        let counts = StreamProbe(
            context.storage.dbActor.stream { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 })
        #expect(try await counts.next() == 0)
        try await context.storage.dbActor.write { try $0.execute(sql: "INSERT INTO \(table) VALUES ('x')") }
        #expect(try await counts.next() == 1)
    }

    @Test func aCommitThatWritesNothingIsNoNews() async throws {
        let epoch = context.storage.dbActor.changes.epoch
        try await context.storage.dbActor.write { _ in }
        #expect(context.storage.dbActor.changes.epoch == epoch)
    }

    /// They have one connection, so that all rows are read at the first, however large.
    @Test func aStreamSeesTheRowsThatThereWereAtTheFirst() async throws {
        let text = String(repeating: "x", count: 1000)
        try await storage.save((0..<1000).map { TestUser("\($0)", name: text) })
        var rows = storage.query(TestUser.self).stream().makeAsyncIterator()
        _ = try await rows.next()
        try await storage.deleteAll(TestUser.self)
        try await storage.save(TestUser("new"))
        var count = 1
        while try await rows.next() != nil { count += 1 }
        #expect(count == 1000)
    }

    @Test func twoStoresInMemoryAreApart() async throws {
        let other = try StorageKit.startInMemory { $0.autoSchema(TestUserRecord.self) }
        try await storage.save(TestUser("1"))
        #expect(try await other.facade.count(TestUser.self) == 0)
    }

    @Test func aMigrationThatFailsIsNamed() {
        let error = #expect(throws: StorageError.self) {
            try StorageKit.startInMemory { $0.migration("broken") { try $0.execute(sql: "nonsense") } }
        }
        guard case .migrationFailed("broken", _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func aListWithTiesStaysInOrderWhenAVacuumNumbersTheRowsAnew() async throws {
        for id in ["x", "y", "a", "b"] { try await storage.save(TestUser(id, age: 0)) }
        for id in ["x", "y"] { try await storage.delete(TestUser.self, id: id) }
        let query = storage.query(TestUser.self).orderBy(\.age)
        let list = StreamProbe(query.observe())
        #expect(try await list.next().map(\.id) == ["a", "b"])
        try await context.vacuum()
        try await storage.save(TestUser("c", age: 0))
        #expect(try await list.first { $0.count == 3 }.map(\.id) == ["a", "b", "c"])
    }

    /// What holds a thread holds one for each store; then nothing would run that could end the reads.
    @Test func aSaveBehindAReadHoldsNoThreadThatTasksShare() async throws {
        try await withHeldReads(of: { _ in try StorageKit.startInMemory { $0.autoSchema(TestUserRecord.self) } }) {
            try await $0.facade.save(TestUser("1"))
        }
    }

    @Test func closingHoldsNoThreadThatTasksShareEither() async throws {
        let folder = try TemporaryFolder()
        try await withHeldReads(of: { number in
            try StorageKit.start(at: folder.file("\(number).sqlite")) { $0.autoSchema(TestUserRecord.self) }
        }) { try await $0.close() }
    }

    /// Does something with more stores than tasks have threads, while a snapshot of each is open.
    private func withHeldReads(
        of makeStore: (Int) throws -> StorageKit.Context,
        _ body: @escaping @Sendable (StorageKit.Context) async throws -> Void
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let (begun, report) = AsyncStream.makeStream(of: Void.self)
        let stores = try (0...ProcessInfo.processInfo.activeProcessorCount).map(makeStore)
        let reads = stores.map { store in
            Task {
                try await store.facade.snapshot { _ in
                    report.yield()
                    gate.wait()
                }
            }
        }
        var waiting = begun.makeAsyncIterator()
        for _ in stores { _ = await waiting.next() }
        let calls = stores.map { store in Task { try await body(store) } }
        // Runs behind them, on the threads that they should not hold.
        await Task {}.value
        for _ in stores { gate.signal() }
        for read in reads { try await read.value }
        for call in calls { try await call.value }
    }

    @Test func closingWaitsForWhatIsBeingWritten() async throws {
        let rest = Rest()
        let ends = Ends()
        try await withThrowingTaskGroup { group in
            group.addTask { [storage] in
                try await storage.transaction { _ in
                    rest.enter()
                    ends.names.withLock { $0.append("transaction") }
                }
            }
            await rest.begun()
            group.addTask { [context] in
                try await context.close()
                ends.names.withLock { $0.append("close") }
            }
            while (try? context.storage.dbActor.openPool) != nil { await Task.yield() }
            rest.leave()
            try await group.waitForAll()
        }
        #expect(ends.names.withLock(\.self) == ["transaction", "close"])
    }

    @Test func afterClosingCallsThrow() async throws {
        try await storage.save(TestUser("1"))
        try await context.close()
        await #expect(throws: StorageError.self) { try await storage.all(TestUser.self) }
        await #expect(throws: StorageError.self) { try await storage.save(TestUser("2")) }
    }
}

private final class Ends: Sendable {
    let names = Mutex<[String]>([])
}
