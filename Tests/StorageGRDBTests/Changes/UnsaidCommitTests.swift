import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Commits of two writers of ours of which one has not said how it ended when the other does, and of others meanwhile.
@Suite(.timeLimit(.minutes(20))) struct UnsaidCommitTests {
    private let store: ProbedStore
    private let stranger: GRDB.DatabaseQueue
    private var hub: ChangeHub { store.hub }

    init() throws {
        store = try ProbedStore()
        stranger = try GRDB.DatabaseQueue(path: store.folder.file().path)
    }

    private func commit() throws {
        try stranger.write { try $0.execute(sql: "UPDATE numbers SET value = value + 1 WHERE id = 1") }
    }

    @Test func aCommitIsNotToldOfTwiceBecauseAnotherFailsMeanwhile() throws {
        hub.willCommit()
        try commit()
        hub.willCommit()
        hub.didCommit(.tables(["numbers": .numbers(1)]), advancing: true, fills: [])
        hub.didNotCommit()
        #expect(hub.isCurrent)
        hub.catchUp()
        #expect(store.take() == ["numbers": [.numbers(1)]])
    }

    @Test func whoWaitsForWhatIsUnderWayHearsOfOthersEvenIfItFails() async throws {
        hub.willCommit()
        try commit()
        async let told: Void = hub.waitForCommits()
        // Nobody says when it waits: either way it has to have heard.
        await Task.yield()
        hub.didNotCommit()
        await told
        #expect(store.take() == ProbedStore.everything)
    }

    /// A trigger's FAIL has SQLite commit, and GRDB say nothing of it.
    @Test func aCommitThatNobodyTellsOfHasEndedWithItsWrite() async throws {
        let other = DatabaseActor(pool: try GRDB.DatabasePool(path: store.folder.file().path))
        try await other.write { db in
            try db.execute(
                sql: "CREATE TRIGGER test BEFORE INSERT ON texts BEGIN SELECT RAISE(FAIL, 'no'); END")
        }
        #expect(throws: DatabaseError.self) {
            try other.writeAtOnce { try $0.execute(sql: "INSERT INTO texts VALUES (3, 'c', 'u')") }
        }
        #expect(hub.isIdle && hub.isCurrent)
    }

    /// Who would look for it by itself stands behind that transaction in the writer's queue.
    @Test func aCommitThatNobodyTellsOfHasEndedWhenTheNextTransactionBegins() throws {
        let other = DatabaseActor(pool: try GRDB.DatabasePool(path: store.folder.file().path))
        try other.pool.writeWithoutTransaction { db in
            _ = try Int.fetchOne(db, sql: "INSERT INTO numbers VALUES (77, 1) RETURNING id")
            #expect(!hub.isIdle)
            other.observer.prepareForTransaction()
            #expect(hub.isIdle && hub.isCurrent)
        }
    }

    /// As where somebody waits to close it while the app's statement runs.
    @Test func aCommitThatNobodyTellsOfHasEndedWhenItsConnectionIsClosed() async throws {
        let other = DatabaseActor(pool: try GRDB.DatabasePool(path: store.folder.file().path))
        try other.close()
        try other.pool.unsafeReentrantWrite { _ in try other.observer.databaseWillCommit() }
        await hub.waitForCommits()
        #expect(hub.isIdle && hub.isCurrent)
    }

    /// Lets others commit between the moment a commit of ours begins and the moment it says that it has ended.
    private final class Interloper: TransactionObserver {
        private let commit: () throws -> Void
        init(_ commit: @escaping () throws -> Void) { self.commit = commit }
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseWillCommit() throws { try commit() }
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
    }

    @Test func aCommitToAnAttachedFileDoesNotStandForOneOfOthers() throws {
        try store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH '\(store.folder.file("other.sqlite").path)' AS other; CREATE TABLE other.t (a)")
        }
        hub.catchUp()
        _ = store.take()
        let interloper = Interloper { try commit() }
        store.pool.add(transactionObserver: interloper)
        try store.pool.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO other.t VALUES (1)") }
        store.pool.remove(transactionObserver: interloper)
        hub.catchUp()
        #expect(store.take() == ProbedStore.everything)
        #expect(hub.isCurrent)
    }
}
