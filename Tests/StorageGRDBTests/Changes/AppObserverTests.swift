import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Observers of the app's own, which GRDB tells: they hear of each kind of write that StorageKit makes.
@Suite(.timeLimit(.minutes(20))) struct AppObserverTests {
    private let store: TemporaryStore
    private let log = EventLog()

    init() async throws {
        store = try TemporaryStore {
            $0.addKVCache()
            $0.autoSchema(TestUserRecord.self)
        }
        try await store.storage.save([TestUser("a"), TestUser("b")])
        store.db.pool.add(transactionObserver: log)
    }

    private static let tail = ["will commit", "did commit"]

    @Test(arguments: [("a", "update"), ("new", "insert")])
    func aSave(id: String, event: String) async throws {
        try await store.storage.save(TestUser(id))
        #expect(log.events.contains("\(event) testusers"))
        #expect(Array(log.events.suffix(2)) == Self.tail)
    }

    @Test func aSaveOfSeveral() async throws {
        try await store.storage.save([TestUser("a"), TestUser("new")])
        #expect(log.events.filter { $0.hasSuffix("testusers") } == ["update testusers", "insert testusers"])
        #expect(Array(log.events.suffix(2)) == Self.tail)
    }

    @Test func savesThatCommitTogether() async throws {
        let storage = store.storage
        _ = try await store.db.queued([
            { try await storage.save(TestUser("a")) }, { try await storage.save(TestUser("new")) },
        ])
        #expect(log.events.filter { $0.hasSuffix("testusers") } == ["update testusers", "insert testusers"])
        #expect(log.events.count { $0 == "did commit" } == 1)
    }

    @Test func aDeletion() async throws {
        try await store.storage.delete(TestUser.self, id: "a")
        #expect(log.events == ["delete testusers"] + Self.tail)
    }

    @Test func deletionsAndUpdatesByQuery() async throws {
        try await store.storage.query(TestUser.self).where { $0.id == "a" }.updateAll { [$0.age.set(to: 7)] }
        #expect(log.events == ["update testusers"] + Self.tail)
        try await store.storage.query(TestUser.self).where { $0.id == "a" }.deleteAll()
        #expect(Array(log.events.suffix(3)) == ["delete testusers"] + Self.tail)
    }

    @Test func aWriteOfTheDiskCache() async throws {
        let cache = DiskCache<Int>(db: store.db, config: store.context.config)
        await cache.set(1, for: "k", ttl: 60)
        #expect(log.events.count == 3 && log.events.last == "did commit")
    }

    @Test func aWriteThatFails() async throws {
        try await store.db.write { db in
            try db.execute(sql: "CREATE TRIGGER refuse BEFORE INSERT ON testusers BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        let before = log.events.count
        await #expect(throws: StorageError.self) { try await store.storage.save(TestUser("new")) }
        #expect(!log.events.dropFirst(before).contains("did commit"))
    }

    @Test(arguments: [Database.TransactionObservationExtent.observerLifetime, .databaseLifetime, .nextTransaction])
    func forAsLongAsItWants(extent: Database.TransactionObservationExtent) async throws {
        let other = EventLog()
        store.db.pool.add(transactionObserver: other, extent: extent)
        try await store.storage.delete(TestUser.self, id: "a")
        #expect(other.events == ["delete testusers"] + Self.tail)
        try await store.storage.delete(TestUser.self, id: "b")
        #expect(other.events.count == (extent == .nextTransaction ? 3 : 6))
    }

    @Test func whatIsToHappenAfterTheNextTransactionDoes() async throws {
        let didCommit = EventLog()
        try await store.db.withWriter { db in db.afterNextTransaction { _ in didCommit.note("did commit") } }
        try await store.storage.save(TestUser("a"))
        #expect(didCommit.events == ["did commit"])
    }

    @Test func anObservedValueOfGRDBFollowsTheSaves() async throws {
        let observation = GRDB.ValueObservation.tracking {
            try Int.fetchOne($0, sql: "SELECT age FROM testusers WHERE id = 'a'")
        }
        var values = observation.values(in: store.db.pool, bufferingPolicy: .unbounded).makeAsyncIterator()
        // It may tell a value twice.
        for age in [0, 100, 101, 102] {
            if age > 0 { try await store.storage.save(TestUser("a", age: age)) }
            while try await values.next() != age {}
        }
    }
}

/// Writes down what GRDB tells.
private final class EventLog: TransactionObserver, Sendable {
    private let log = Mutex<[String]>([])

    var events: [String] { log.withLock { $0 } }

    func note(_ event: String) { log.withLock { $0.append(event) } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {
        note("\(event.kind == .insert ? "insert" : event.kind == .update ? "update" : "delete") \(event.tableName)")
    }
    func databaseWillCommit() { note("will commit") }
    func databaseDidCommit(_ db: Database) { note("did commit") }
    func databaseDidRollback(_ db: Database) { note("did roll back") }
}
