import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Queries that take few steps run on the calling thread, and no others do.
@Suite(.timeLimit(.minutes(20))) struct BriefReadTests {
    private let store: TemporaryStore
    private let runs = Runs()

    /// The threads that a query ran on, again and again.
    private final class Runs: Sendable {
        private let threads = Mutex<[ObjectIdentifier]>([])

        func add() { threads.withLock { $0.append(ObjectIdentifier(Thread.current)) } }
        func take() -> [ObjectIdentifier] {
            threads.withLock { threads in
                defer { threads = [] }
                return threads
            }
        }
    }

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
    }

    private static func counting(to last: Int) -> LoweredQuery {
        LoweredQuery(
            sql:
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(last)) SELECT max(i) FROM n"
        )
    }

    private func run(_ query: LoweredQuery) async throws -> Int? {
        try await store.db.run(query) { [runs] db in
            runs.add()
            return try Int.fetchOne(db, sql: query.sql)
        }
    }

    @Test func aQueryOfFewStepsRunsOnTheCallingThread() async throws {
        let before = Self.currentThread
        #expect(try await run(Self.counting(to: 10)) == 10)
        let threads = runs.take()
        // A task may go on elsewhere after any call.
        if Self.currentThread == before { #expect(threads == [before]) }
        #expect(threads.count == 1)
    }

    @Test func aQueryThatTakesLongIsStoppedAndBeginsAgainElsewhere() async throws {
        #expect(try await run(Self.counting(to: 300_000)) == 300_000)
        let threads = runs.take()
        #expect(threads.count == 2 && threads.first != threads.last)
    }

    @Test func aQueryOfSomeStepsIsNotStoppedHoweverOftenItRuns() async throws {
        let query = Self.counting(to: 20)
        for _ in 0..<2000 {
            let count = try await store.db.run(query) { [runs] db in
                runs.add()
                // Kept: SQLite counts the steps of a statement over all times that it runs.
                return try Int.fetchOne(db.cachedStatement(sql: query.sql))
            }
            #expect(count == 20)
        }
        #expect(runs.take().count == 2000)
    }

    @Test func aSearchDoesNotRunOnTheCallingThread() async throws {
        var query = Self.counting(to: 10)
        query.searches = [SearchedIndex(table: "t", idColumn: "id", query: "q", weightCount: 0, passageColumn: nil)]
        _ = try await store.db.run(query) { [runs] _ in runs.add() }
        #expect(runs.take() != [Self.currentThread])
    }

    /// It may search, or call a function of the app's.
    @Test(arguments: ["EXISTS (SELECT 1 FROM t WHERE t MATCH 'a')", "slow(age) < 2"])
    func noMoreDoesWhatHasSQLOfTheApps(condition: String) throws {
        let query = store.storage.query(TestUser.self).where {
            $0.sql(SQLText(stringLiteral: condition), as: Bool.self)
        }
        #expect(try !RecordTable(TestUserRecord.self).all(query.plan).mayBeBrief)
        #expect(try RecordTable(TestUserRecord.self).all(store.storage.query(TestUser.self).plan).mayBeBrief)
    }

    private static var currentThread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test(
        arguments: [
            { @Sendable storage in _ = try await storage.count(TestUser.self) },
            { storage in _ = try await storage.get(TestUser.self, id: "nobody") },
            { storage in try await storage.save(TestUser("1")) },
        ] as [@Sendable (Storage) async throws -> Void])
    func tasksThatDoNothingElseLetOthersRun(_ call: @escaping @Sendable (Storage) async throws -> Void) async throws {
        let storage = store.storage
        try await withThrowingTaskGroup(of: Void.self) { group in
            // More of them than there are threads.
            for _ in 0..<8 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask {
                    while !Task.isCancelled { _ = try? await call(storage) }
                }
            }
            for _ in 0..<20 { await Task.yield() }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func anErrorOfTheQueryPasses() async throws {
        let query = LoweredQuery(sql: "SELECT nonsense")
        await #expect(throws: DatabaseError.self) { try await run(query) }
        #expect(runs.take().count == 1)
    }

    @Test func anErrorOfAReadByItsIdIsNotTakenForNoRow() async throws {
        try await store.storage.save(TestUser("1", name: "{"))
        try await store.db.write { db in
            try db.execute(
                sql: """
                    ALTER TABLE testusers RENAME TO base;
                    CREATE VIEW testusers AS SELECT id, json(name) AS name, age, email, isActive, updatedAt FROM base
                    """)
        }
        let users = store.storage.repository(TestUser.self)
        await #expect(throws: StorageError.self) { try await users.get(id: "1", policy: .databaseOnly) }
    }

    @Test func aCancelledTaskRunsNothing() async throws {
        let reading = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await run(Self.counting(to: 10))
        }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(runs.take() == [])
    }

    @Test func whatIsStoppedLeavesTheConnectionInOrder() throws {
        let readers = try #require(store.db.readers)
        let (short, long) = (Self.counting(to: 10).sql, Self.counting(to: 300_000).sql)
        for _ in 0..<20 {
            #expect(try readers.readBriefly { try Int.fetchOne($0, sql: long) } == .none)
            #expect(try readers.readBriefly { try Int.fetchOne($0, sql: short) } == 10)
        }
    }
}

extension DatabaseActor {
    /// Runs a query as a query of a store runs.
    fileprivate func run<T: Sendable>(
        _ query: LoweredQuery, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let read = TableRead(query, body)
        return try await readRows(mayBeBrief: read.mayBeBrief, read.body)
    }
}
