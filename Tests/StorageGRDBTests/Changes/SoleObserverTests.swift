import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Saves that go past GRDB where nobody but StorageKit observes, and nowhere else.
@Suite(.timeLimit(.minutes(5))) struct SoleObserverTests {
    private let store: ProbedStore

    init() throws {
        store = try ProbedStore()
    }

    /// Saves a row as a save of one entity does.
    private func save(_ id: String = "a", value: Int = 0) throws {
        try store.pool.writeWithoutTransaction { db in
            let sql =
                "INSERT INTO texts (id, value) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value"
            let statement = try db.cachedStatement(sql: sql)
            try statement.bind([.text(id), .integer(Int64(value))])
            try store.db.observer.run(statement, on: "texts", db)
        }
    }

    private func isSole(_ sole: SoleObserver) -> Bool {
        store.pool.writeWithoutTransaction { db in sole.isSole(store.db.observer, on: "numbers", in: db) }
    }

    /// Saves often enough for it to be known who observes.
    private func saveManyTimes() throws {
        for value in 0..<50 { try save(value: value) }
        _ = store.take()
    }

    @Test func theHubIsAloneUntilAnotherObserves() {
        let sole = SoleObserver()
        #expect(isSole(sole))
        let other = EventLog()
        store.pool.add(transactionObserver: other)
        #expect((0..<50).allSatisfy { _ in !isSole(sole) })
        store.pool.remove(transactionObserver: other)
        #expect((0..<50).contains { _ in isSole(sole) })
    }

    @Test func itIsAloneThoughItBeganToTrackJustBefore() throws {
        store.hub.track("late", idColumn: "id")
        let sole = SoleObserver()
        #expect(isSole(sole))
        store.pool.add(transactionObserver: EventLog(), extent: .databaseLifetime)
        #expect((0..<50).allSatisfy { _ in !isSole(sole) })
    }

    @Test(arguments: ["DELETE FROM numbers WHERE id = 1", "UPDATE numbers SET value = 7 WHERE id = 1"])
    func anObserverHearsOfAChangeThoughTheHubBeganToTrackJustBefore(sql: String) throws {
        let other = EventLog()
        store.pool.add(transactionObserver: other)
        store.hub.track("late", idColumn: "id")
        try store.pool.write { try $0.execute(sql: sql) }
        #expect(other.events == ["\(sql.prefix(6).lowercased()) numbers", "will commit", "did commit"])
    }

    @Test func itIsAloneAgainAfterTheSchemaHasChanged() throws {
        let sole = SoleObserver()
        #expect(isSole(sole))
        try store.pool.write { try $0.execute(sql: "CREATE TABLE other (id TEXT)") }
        #expect((0..<50).contains { _ in isSole(sole) })
    }

    @Test func itIsNotAloneWhereADatabaseCanBeSuspended() throws {
        var configuration = GRDB.Configuration()
        configuration.observesSuspensionNotifications = true
        let pool = try GRDB.DatabasePool(path: store.folder.file().path, configuration: configuration)
        let actor = DatabaseActor(pool: pool)
        pool.writeWithoutTransaction { db in
            #expect(!SoleObserver().isSole(actor.observer, on: "texts", in: db))
        }
    }

    @Test func aSecondDoorToThePoolIsToldToo() throws {
        try saveManyTimes()
        let other = DatabaseActor(pool: store.pool)
        let probe = ChangeProbe()
        other.changes.tell(probe, of: "texts", idColumn: "id")
        for value in 0..<10 { try save(value: value) }
        #expect(other.changes.isCurrent)
        #expect(!probe.take().isEmpty)
    }

    @Test(arguments: [Database.TransactionObservationExtent.observerLifetime, .databaseLifetime, .nextTransaction])
    func anObserverOfTheAppsHearsOfTheNextSave(extent: Database.TransactionObservationExtent) throws {
        try saveManyTimes()
        let other = EventLog()
        store.pool.add(transactionObserver: other, extent: extent)
        try save("a")
        #expect(other.events == ["update texts", "will commit", "did commit"])
        try save("new")
        let more = extent == .nextTransaction ? [] : ["insert texts", "will commit", "did commit"]
        #expect(other.events.dropFirst(3) == more[...])
    }

    @Test func whatIsToHappenAfterTheNextTransactionDoes() throws {
        try saveManyTimes()
        let didCommit = EventLog()
        store.pool.writeWithoutTransaction { db in
            db.afterNextTransaction { _ in didCommit.note("did commit") }
        }
        try save()
        #expect(didCommit.events == ["did commit"])
    }

    @Test func anObservedValueOfGRDBFollowsTheSaves() async throws {
        try saveManyTimes()
        let observation = GRDB.ValueObservation.tracking {
            try Int.fetchOne($0, sql: "SELECT value FROM texts WHERE id = 'a'")
        }
        var values = observation.values(in: store.pool, bufferingPolicy: .unbounded).makeAsyncIterator()
        // It may tell a value twice.
        for value in [49, 100, 101, 102] {
            if value > 49 { try save(value: value) }
            while try await values.next() != value {}
        }
    }

    @Test func cachesAreToldOfEachSave() throws {
        try saveManyTimes()
        try save("a", value: 7)
        #expect(store.take() == ["texts": [.texts("a")]])
        #expect(store.hub.isCurrent)
        try save("new", value: 7)
        #expect(store.take() == ["texts": [.texts("new")]])
    }

    @Test func aSaveInsideATransactionIsToldWhenThatEnds() throws {
        try saveManyTimes()
        try store.pool.writeWithoutTransaction { db in
            try db.inTransaction {
                let statement = try db.cachedStatement(sql: "UPDATE texts SET value = 9 WHERE id = ?")
                try statement.bind([.text("a")])
                try store.db.observer.run(statement, on: "texts", db)
                #expect(store.take().isEmpty)
                return .commit
            }
        }
        #expect(store.take() == ["texts": [.texts("a")]])
    }

    @Test func aSaveThatFailsIsAnErrorAndTellsNothing() throws {
        try saveManyTimes()
        let error = #expect(throws: GRDB.DatabaseError.self) {
            try store.pool.writeWithoutTransaction { db in
                let statement = try db.cachedStatement(sql: "INSERT INTO texts VALUES (1, 'new', ?)")
                try statement.bind([.text("s")])
                try store.db.observer.run(statement, on: "texts", db)
            }
        }
        #expect(error?.message == "UNIQUE constraint failed: texts.slug")
        #expect(error?.sql == "INSERT INTO texts VALUES (1, 'new', ?)")
        #expect(store.take().isEmpty)
        try save("new", value: 1)
        #expect(store.take() == ["texts": [.texts("new")]])
        #expect(store.hub.isCurrent)
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
