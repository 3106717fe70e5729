import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Reads of StorageKit's own, on connections beside GRDB's pool.
@Suite(.timeLimit(.minutes(20))) struct ReadersTests {
    private let store: TemporaryStore
    private let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
    }

    @Test func aReadSeesOneStateThoughOthersWriteMeanwhile() async throws {
        let rest = Rest()
        async let counts = store.db.readRows(mayBeBrief: false) { db in
            let before = try Int.fetchOne(db, sql: "SELECT count(*) FROM testusers")
            rest.enter()
            return (before, try Int.fetchOne(db, sql: "SELECT count(*) FROM testusers"))
        }
        await rest.begun()
        try await store.storage.save(TestUser("1"))
        rest.leave()
        #expect(try await counts == (0, 0))
        #expect(try await store.storage.count(TestUser.self) == 1)
    }

    @Test func cancellingATaskEndsItsStatement() async throws {
        let begun = AsyncStream<Void>.makeStream()
        let reading = Task { [endless, db = store.db] in
            try await db.readRows(mayBeBrief: false) { db in
                begun.continuation.yield()
                return try Int.fetchOne(db, sql: endless)
            }
        }
        for await _ in begun.stream { break }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func cancellingATaskBetweenTwoStatementsEndsTheNext() async throws {
        let rest = Rest()
        let reading = Task { [endless, db = store.db] in
            try await db.readRows(mayBeBrief: false) { db in
                rest.enter()
                return try Int.fetchOne(db, sql: endless)
            }
        }
        await rest.begun()
        reading.cancel()
        rest.leave()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func aTaskThatWasCancelledReadsNothing() async throws {
        let reading = Task { [db = store.db] in
            while !Task.isCancelled { await Task.yield() }
            return try await db.readRows(mayBeBrief: false) { _ in Issue.record("it reads") }
        }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func aReadIsLeftAloneByTheCancellationOfTheOneBefore() async throws {
        let slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300) SELECT max(i) FROM n"
        for _ in 0..<500 {
            let before = Task { [db = store.db] in
                try await db.readRows(mayBeBrief: false) { try Int.fetchOne($0, sql: "SELECT 1") }
            }
            async let cancelled: Void = onThread { before.cancel() }
            #expect(try await store.db.readRows(mayBeBrief: false) { try Int.fetchOne($0, sql: slow) } == 300)
            try await cancelled
            _ = await before.result
        }
    }

    @Test func aReadIsPartOfItsTask() async throws {
        let seen = try await Local.$value.withValue(7) {
            try await store.db.readRows(mayBeBrief: false) { _ in Local.value }
        }
        #expect(seen == 7)
    }

    private enum Local {
        @TaskLocal static var value = 0
    }

    @Test func moreReadsThanConnectionsRunBesideEachOther() async throws {
        // Connections for as many as there are cores, and a pool's readers.
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let rests = (0..<count).map { _ in Rest() }
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for rest in rests {
                group.addTask { [db = store.db] in
                    try await db.readRows(mayBeBrief: false) { db in
                        rest.enter()
                        return try Int.fetchOne(db, sql: "SELECT 1")
                    }
                }
            }
            for rest in rests { await rest.begun() }
            rests.forEach { $0.leave() }
            for try await one in group { #expect(one == 1) }
        }
    }

    @Test func errorsOfTheBodyPassAndLeaveTheConnectionInOrder() async throws {
        struct Mine: Error, Equatable {}
        for _ in 0..<5 {
            await #expect(throws: Mine()) { try await store.db.readRows(mayBeBrief: false) { _ in throw Mine() } }
            await #expect(throws: DatabaseError.self) {
                try await store.db.readRows(mayBeBrief: false) { try $0.execute(sql: "nonsense") }
            }
        }
        try await store.storage.save(TestUser("1"))
        #expect(try await store.storage.all(TestUser.self).map(\.id) == ["1"])
    }

    @Test func closingWaitsForAReadAndEndsTheNext() async throws {
        let rest = Rest()
        async let one = store.db.readRows(mayBeBrief: false) { db in
            rest.enter()
            return try Int.fetchOne(db, sql: "SELECT 1")
        }
        await rest.begun()
        async let closed: Void = onThread { [db = store.db] in try db.close() }
        // Closing begins with a refusal of whatever comes.
        try await untilTrue { (try? store.db.openPool) == nil }
        rest.leave()
        #expect(try await one == 1)
        try await closed
        await #expect(throws: StorageError.self) { try await store.storage.count(TestUser.self) }
    }

    @Test func eachOfTwoWhoCloseWaitsForARead() async throws {
        let (rest, log) = (Rest(), EventOrder())
        async let one: Void = store.db.readRows(mayBeBrief: false) { _ in
            rest.enter()
            log.add("read")
        }
        await rest.begun()
        let begun = EventOrder()
        let closings = (0..<2).map { _ in
            Task { [db = store.db] in
                try await onThread {
                    begun.add("begun")
                    try db.close()
                }
                log.add("closed")
            }
        }
        try await untilTrue { begun.events.count == 2 }
        // Who does not wait is done before these are.
        for _ in 0..<1000 { await Task.yield() }
        rest.leave()
        try await one
        for closing in closings { try await closing.value }
        #expect(log.events == ["read", "closed", "closed"])
    }

    private final class EventOrder: Sendable {
        private let all = Mutex<[String]>([])
        var events: [String] { all.withLock(\.self) }

        func add(_ event: String) { all.withLock { $0.append(event) } }
    }

    @Test(arguments: [true, false]) func closingClosesTheConnectionsOfAllReads(areBrief: Bool) async throws {
        let used = try await store.db.readRows(mayBeBrief: areBrief) { Used(connection: $0) }
        #expect(used.connection.sqliteConnection != nil)
        try store.db.close()
        #expect(used.connection.sqliteConnection == nil)
    }

    @Test func readsThatFollowEachOtherShareAConnection() async throws {
        let brief = try #require(try store.db.readBriefly { $0 })
        let long = try await store.db.readRows(mayBeBrief: false) { Used(connection: $0) }
        #expect(brief === long.connection)
    }

    @Test func aConnectionThatCannotBeClosedKeepsNoOtherOpen() throws {
        // One read within the other, so that there are two connections. SQLite does not close one that has a statement.
        let both = try store.db.readBriefly { db in
            (try db.makeStatement(sql: "SELECT 1"), try store.db.readBriefly { Used(connection: $0) })
        }
        let (statement, other) = try #require(both)
        let used = try #require(other)
        #expect(throws: DatabaseError.self) { try store.db.close() }
        #expect(used.connection.sqliteConnection == nil)
        withExtendedLifetime(statement) {}
    }

    @Test func aConnectionThatCouldNotBeClosedIsClosedByTheNextCall() throws {
        let connection = try #require(try store.db.readBriefly { $0 })
        do {
            let statement = try #require(try store.db.readBriefly { try $0.makeStatement(sql: "SELECT 1") })
            #expect(throws: DatabaseError.self) { try store.db.close() }
            withExtendedLifetime(statement) {}
        }
        try store.db.close()
        #expect(connection.sqliteConnection == nil)
    }

    /// Carries a connection out of its read.
    private struct Used: @unchecked Sendable {
        let connection: Database
    }

    @Test func closingIsNotHeldUpByThoseWhoGoOnReading() async throws {
        let storage = store.storage
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    while true {
                        do { _ = try await storage.count(TestUser.self) } catch { return }
                    }
                }
            }
            for _ in 0..<100 { _ = try await storage.count(TestUser.self) }
            try await onThread { [db = store.db] in try db.close() }
            try await group.waitForAll()
        }
    }

    @Test func whoWaitsForLocksInAWayOfHisOwnReadsOnTheCallingThreadToo() throws {
        let store = try TemporaryStore(options: { $0.pool.configure = { $0.busyMode = .callback { _ in true } } }) {
            $0.autoSchema(TestUserRecord.self)
        }
        #expect(try store.db.readBriefly { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
    }

    @Test func aSchemaThatChangesIsNoticed() async throws {
        try await store.storage.save(TestUser("1", age: 7))
        #expect(try await store.storage.all(TestUser.self).map(\.age) == [7])
        let columns = try await store.db.read { try $0.columns(in: "testusers").map(\.name) }
        let turned = columns.reversed().map { $0 == "id" ? "id TEXT PRIMARY KEY" : $0 }.joined(separator: ", ")
        try await store.db.write { db in
            try db.execute(sql: "ALTER TABLE testusers RENAME TO old; CREATE TABLE testusers (\(turned))")
            let names = columns.joined(separator: ", ")
            try db.execute(sql: "INSERT INTO testusers (\(names)) SELECT \(names) FROM old")
        }
        #expect(try await store.storage.all(TestUser.self).map(\.age) == [7])
        try await store.db.write { try $0.execute(sql: "DROP TABLE testusers") }
        await #expect(throws: StorageError.self) { try await store.storage.all(TestUser.self) }
    }
}
