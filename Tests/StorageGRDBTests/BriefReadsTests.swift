import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Queries that take but a moment run on the calling thread, and no others do.
@Suite(.timeLimit(.minutes(15))) struct BriefReadsTests {
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
        try await store.db.read(query) { [runs] db in
            runs.add()
            return try Int.fetchOne(db, sql: query.sql)
        }
    }

    @Test func aQueryThatTookButAMomentRunsOnTheCallingThread() async throws {
        let query = Self.counting(to: 10)
        var threads = [Self.currentThread]
        #expect(try await run(query) == 10)
        #expect(runs.take() != threads)
        try #require(store.db.briefReads).took(.zero, query.sql)
        threads = [Self.currentThread]
        #expect(try await run(query) == 10)
        #expect(runs.take() == threads)
    }

    @Test func aQueryThatTakesLongThisTimeIsStoppedAndBeginsAgainElsewhere() async throws {
        let query = Self.counting(to: 300_000)
        try #require(store.db.briefReads).took(.zero, query.sql)
        #expect(try await run(query) == 300_000)
        #expect(runs.take().count == 2)
        #expect(try await run(query) == 300_000)
        #expect(runs.take().count == 1)
    }

    @Test func aQueryOfSomeStepsIsNotStoppedHoweverOftenItRuns() async throws {
        let query = Self.counting(to: 20)
        for _ in 0..<2000 {
            try #require(store.db.briefReads).took(.zero, query.sql)
            let count = try await store.db.read(query) { [runs] db in
                runs.add()
                // Kept: SQLite counts the steps of a statement over all times that it runs.
                return try Int.fetchOne(db.cachedStatement(sql: query.sql))
            }
            #expect(count == 20)
        }
        #expect(runs.take().count == 2000)
    }

    private static var currentThread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test func aQueryIsShortIfItWasTheLastTime() {
        let reads = BriefReads()
        #expect(!reads.take("a"))
        reads.took(.microseconds(10), "a")
        #expect(reads.take("a"))
        reads.took(.milliseconds(1), "a")
        #expect(!reads.take("a"))
    }

    @Test func aShortQueryIsMeasuredAgainNowAndThen() {
        let reads = BriefReads()
        reads.took(.zero, "a")
        for _ in 0..<BriefReads.timesInBetween { #expect(reads.take("a")) }
        #expect(!reads.take("a"))
    }

    @Test func tasksThatDoNothingButQueriesLetOthersRun() async throws {
        let storage = store.storage
        try await withThrowingTaskGroup(of: Void.self) { group in
            // More of them than there are threads.
            for _ in 0..<8 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask {
                    while !Task.isCancelled { _ = try? await storage.count(TestUser.self) }
                }
            }
            for _ in 0..<20 { await Task.yield() }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func aProgramThatMakesUpItsQueriesFillsNoMemory() {
        let reads = BriefReads()
        for number in 0..<2000 { reads.took(.zero, "\(number)") }
        #expect((0..<2000).count { reads.take("\($0)") } <= 1000)
        #expect(reads.take("1999"))
    }

    @Test func anErrorOfTheQueryPasses() async throws {
        let query = LoweredQuery(sql: "SELECT nonsense")
        await #expect(throws: DatabaseError.self) { try await run(query) }
        #expect(runs.take().count == 1)
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

    @Test func whatIsStoppedLeavesTheConnectionInOrder() async throws {
        let connection = LaneConnection(try DatabaseQueue(path: store.url.path))
        let (short, long) = (Self.counting(to: 10).sql, Self.counting(to: 300_000).sql)
        for _ in 0..<20 {
            #expect(try connection.readingBriefly(BusyTimeout()) { try Int.fetchOne($0, sql: long) } == nil)
            #expect(try connection.reading { try Int.fetchOne($0, sql: long) } == 300_000)
            #expect(try connection.reading { try Int.fetchOne($0, sql: short) } == 10)
        }
    }
}
