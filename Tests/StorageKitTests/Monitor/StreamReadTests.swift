import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// What a monitor hears of the reads behind streams.
@Suite struct StreamReadTests {
    private struct Watched {
        let store: TemporaryStore
        let log: EventLog

        init(tellsStreamReads: Bool = true) async throws {
            let log = EventLog(tellsStreamReads: tellsStreamReads)
            self.log = log
            store = try TemporaryStore(
                options: {
                    $0.monitor = log
                    $0.memoryCapacity = 0
                }, schema: { $0.autoSchema(TestUserRecord.self) })
            try await store.storage.save((1...5).map { TestUser("\($0)", name: "n", age: $0 % 2) })
        }

        var reads: [StreamRead] {
            log.events.compactMap { if case .streamRead(let read) = $0 { read } else { nil } }
        }
    }

    @Test func aListIsReadAsAWholeOnceAndThenByItsChangedRows() async throws {
        let watched = try await Watched()
        let users = StreamProbe(watched.store.storage.query(TestUser.self).where { $0.age == 1 }.observe())
        #expect(try await users.next().count == 3)
        try await watched.store.storage.save(TestUser("1", name: "other", age: 1))
        #expect(try await users.next().count == 3)
        let reads = watched.reads
        #expect(reads.map(\.scope) == [.all, .rows])
        #expect(reads.map(\.rowCount) == [3, 1])
        #expect(reads.map(\.isNew) == [true, true])
        #expect(reads.allSatisfy { $0.table == "testusers" && $0.sql.contains("WHERE \"age\" = ?") })
        #expect(reads.allSatisfy { $0.duration > .zero })
    }

    @Test func aChangeThatLeavesAListAsItWasIsToldWithNothingNew() async throws {
        let watched = try await Watched()
        let users = StreamProbe(watched.store.storage.query(TestUser.self).where { $0.age == 1 }.observe())
        #expect(try await users.next().count == 3)
        try await watched.store.storage.save(TestUser("2", name: "other", age: 0))
        try await untilTrue { watched.reads.count == 2 }
        #expect(watched.reads.last.map { "\($0.scope), \($0.rowCount ?? -1), \($0.isNew)" } == "rows, 0, false")
    }

    @Test func ofGroupsThoseAreReadThatAChangeConcerns() async throws {
        let watched = try await Watched()
        let groups = StreamProbe(
            watched.store.storage.query(TestUser.self).group(by: \.age).orderBy(\.age)
                .select { ($0.age, $0.count()) }.observe())
        #expect(try await groups.next().map(\.1) == [2, 3])
        try await watched.store.storage.save(TestUser("6", age: 1))
        #expect(try await groups.next().map(\.1) == [2, 4])
        #expect(watched.reads.map(\.scope) == [.all, .groups])
        #expect(watched.reads.map(\.rowCount) == [2, 1])
    }

    @Test func aStatementAndAClosureAreReadAsAWholeEachTime() async throws {
        let watched = try await Watched()
        let names = StreamProbe(watched.store.storage.sql("SELECT name FROM testusers", as: String.self).observe())
        let count = StreamProbe(watched.store.db.stream { try Int.fetchOne($0, sql: "SELECT count(*) FROM testusers") })
        #expect(try await names.next().count == 5)
        #expect(try await count.next() == 5)
        try await watched.store.storage.save(TestUser("6"))
        #expect(try await names.next().count == 6)
        #expect(try await count.next() == 6)
        let statement = watched.reads.filter { $0.sql == "SELECT name FROM testusers" }
        #expect(statement.map(\.rowCount) == [5, 6])
        let closure = watched.reads.filter { $0.sql.isEmpty }
        #expect(closure.count == 2 && closure.allSatisfy { $0.table == nil && $0.rowCount == nil && $0.scope == .all })
    }

    @Test func theEntityOfAnIdIsToldWhereItIsRead() async throws {
        let watched = try await Watched()
        let user = StreamProbe(watched.store.storage.observe(TestUser.self, id: "1"))
        #expect(try await user.next()?.name == "n")
        let read = try #require(watched.reads.first)
        #expect(read.table == "testusers" && read.rowCount == 1 && read.sql.hasSuffix("WHERE \"id\" = ?"))
    }

    @Test func anEntityThatIsNotThereIsNoRow() async throws {
        let watched = try await Watched()
        let user = StreamProbe(watched.store.storage.observe(TestUser.self, id: "9"))
        #expect(try await user.next() == nil)
        #expect(watched.reads.first?.rowCount == 0)
    }

    @MainActor @Test func aWindowIsToldWithTheRowsThatItHolds() async throws {
        let watched = try await Watched()
        let window = LiveWindow(watched.store.storage.query(TestUser.self).orderBy(\.age), pageSize: 2)
        await window.settle()
        let reads = watched.reads
        #expect(!reads.isEmpty)
        #expect(reads.allSatisfy { $0.table == "testusers" && $0.sql.contains("ORDER BY") && $0.rowCount == 2 })
    }

    @Test func aMonitorThatDoesNotAskHearsOfNone() async throws {
        let watched = try await Watched(tellsStreamReads: false)
        let users = StreamProbe(watched.store.storage.observeAll(TestUser.self))
        #expect(try await users.next().count == 5)
        try await watched.store.storage.save(TestUser("6"))
        #expect(try await users.next().count == 6)
        #expect(watched.reads.isEmpty)
    }
}
