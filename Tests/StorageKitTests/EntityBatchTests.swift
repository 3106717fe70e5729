import GRDB
import StorageKit
import StorageTestSupport
import Testing

@Suite struct EntityBatchTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
    }

    /// Counts the rows that GRDB tells of.
    private final class RowCounter: TransactionObserver, @unchecked Sendable {
        var rows = 0
        var transactions = 0
        var rollbacks = 0

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) { rows += 1 }
        func databaseDidCommit(_ db: Database) { transactions += 1 }
        func databaseDidRollback(_ db: Database) { rollbacks += 1 }
    }

    @Test func anObserverOfGRDBHearsOfEachRow() async throws {
        let counter = RowCounter()
        store.context.storage.pool.add(transactionObserver: counter)
        let users = (0..<50).map { TestUser("\($0)") }
        try await store.storage.save(users)
        try await store.storage.save(users)
        let heard = try await store.db.write { _ in [counter.rows, counter.rollbacks] }
        #expect(heard == [100, 0] && counter.transactions >= 2)
    }

    @Test func aRowThatSQLiteRefusesTakesBackTheWholeBatchAndTheStoreGoesOn() async throws {
        try await store.db.write {
            try $0.execute(
                sql:
                    "CREATE TRIGGER no BEFORE INSERT ON testusers WHEN new.age = 7 BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
        }
        let counter = RowCounter()
        store.context.storage.pool.add(transactionObserver: counter)
        let users = (0..<10).map { TestUser("\($0)", age: $0) }
        await #expect(throws: StorageError.self) { try await store.storage.save(users) }
        #expect(try await store.storage.count(TestUser.self) == 0)
        try await store.storage.save(users.filter { $0.age != 7 })
        #expect(try await store.storage.count(TestUser.self) == 9)
        #expect(try await store.db.write { _ in counter.rollbacks } == 1)
    }

    @Test func aRollbackBySQLiteItselfInABatchLeavesNothingAndTheStoreGoesOn() async throws {
        try await store.db.write {
            try $0.execute(
                sql:
                    "CREATE TRIGGER no BEFORE INSERT ON testusers WHEN new.age = 7 BEGIN SELECT RAISE(ROLLBACK, 'no'); END"
            )
        }
        var lists = store.storage.observeAll(TestUser.self).makeAsyncIterator()
        #expect(await lists.next()?.count == 0)
        let users = (0..<10).map { TestUser("\($0)", age: $0) }
        await #expect(throws: StorageError.self) { try await store.storage.save(users) }
        #expect(try await store.storage.count(TestUser.self) == 0)
        try await store.storage.save(users.filter { $0.age != 7 })
        #expect(await lists.next()?.count == 9)
        #expect(try await store.storage.get(TestUser.self, id: "3")?.age == 3)
    }

    @Test func aFirstRowThatIsLeftOutKeepsNoOtherFromBeingWritten() async throws {
        try await store.db.write {
            try $0.execute(
                sql: "CREATE TRIGGER no BEFORE INSERT ON testusers WHEN new.age = 0 BEGIN SELECT RAISE(IGNORE); END")
        }
        try await store.storage.save((0..<10).map { TestUser("\($0)", age: $0) })
        #expect(try await store.storage.count(TestUser.self) == 9)
    }
}
