import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Several entities written as one.
@Suite(.timeLimit(.minutes(20))) struct TransactionTests {
    private let store: TemporaryStore
    private let storage: Storage

    init() async throws {
        store = try TemporaryStore { schema in
            schema.autoSchema(AccountRecord.self)
            schema.autoSchema(ReceiptRecord.self)
            schema.migration("keys") { try $0.execute(sql: "CREATE UNIQUE INDEX emails ON accounts (email)") }
        }
        storage = store.storage
        try await storage.save([Account(id: "a", balance: 100), Account(id: "b", balance: 0)])
    }

    private func balances() async throws -> [Int] {
        try await storage.all(Account.self, orderBy: "id").map(\.balance)
    }

    // MARK: - All or nothing

    @Test func allThatItWritesIsKept() async throws {
        let fee = try await storage.transaction { [storage] tx in
            guard var from = try tx.get(Account.self, id: "a"), var to = try tx.get(Account.self, id: "b") else {
                throw Missing()
            }
            from.balance -= 10
            to.balance += 10
            try tx.save([from, to])
            try storage.query(Receipt.self).where { $0.accountId == "a" }.deleteAll(in: tx)
            try tx.savepoint { try tx.insert(Receipt(id: UUID(), accountId: "a")) }
            return 0.5
        }
        #expect(fee == 0.5)
        #expect(try await balances() == [90, 10])
        #expect(try await storage.count(Receipt.self) == 1)
    }

    @Test func anErrorUndoesAllAndPassesUnchanged() async throws {
        await #expect(throws: Missing()) {
            try await storage.transaction { tx in
                try tx.save(Account(id: "a", balance: 1))
                try tx.delete(Account.self, id: "b")
                throw Missing()
            }
        }
        #expect(try await balances() == [100, 0])
    }

    /// Cancels a task that rests in its transaction, which then throws and has written nothing.
    private func expectNothing<T>(of task: Task<T, any Error>, cancelledAt rest: Rest) async throws {
        await rest.begun()
        task.cancel()
        rest.leave()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await balances() == [100, 0])
    }

    @Test func aCancelledTaskWritesNothing() async throws {
        let rest = Rest()
        let task = Task { [storage] in
            try await storage.transaction { tx in
                try tx.save(Account(id: "a", balance: 1))
                rest.enter()
                try tx.save(Account(id: "b", balance: 1))
            }
        }
        try await expectNothing(of: task, cancelledAt: rest)
    }

    @Test func aSavepointWhoseSQLEndsTheTransactionSaysSo() async throws {
        await #expect(throws: StorageError.self) {
            try await storage.transaction { tx in
                #expect(throws: StorageError.self) {
                    try tx.savepoint { try tx.database.execute(sql: "ROLLBACK") }
                }
                #expect(throws: StorageError.self) { try tx.save(Account(id: "z", balance: 1)) }
            }
        }
        #expect(try await storage.get(Account.self, id: "z") == nil)
    }

    @Test func aCancelledTaskIsToldSoWhateverItsClosureWasUndoing() async throws {
        let rest = Rest()
        let task = Task { [storage] in
            try await storage.transaction { tx in
                // The savepoint cannot be undone by itself any more, so that the whole transaction is.
                try? tx.savepoint {
                    try tx.save(Account(id: "a", balance: 1))
                    rest.enter()
                    throw Missing()
                }
            }
        }
        try await expectNothing(of: task, cancelledAt: rest)
    }

    @Test func aCancelledTaskIsToldSoWhereSQLOfTheAppWasStopped() async throws {
        let rest = Rest()
        let task = Task { [storage] in
            try await storage.transaction { tx in
                let db = try tx.database
                db.add(
                    function: DatabaseFunction("rest", argumentCount: 0) { _ in
                        rest.enter()
                        return nil
                    })
                // SQLite has rolled all of it back by then.
                try? db.execute(sql: "UPDATE accounts SET balance = 1 WHERE rest() IS NULL")
                _ = try tx.get(Account.self, id: "a")
            }
        }
        try await expectNothing(of: task, cancelledAt: rest)
    }

    @Test func aBatchThatIsCancelledInTheMiddleSaysSo() async throws {
        let rest = Rest()
        try await store.db.write { db in
            db.add(
                function: DatabaseFunction("rest", argumentCount: 0) { _ in
                    rest.enter()
                    return nil
                })
            // The loop is where SQLite notices that it is to stop.
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER slow AFTER INSERT ON main.accounts WHEN NEW.id = 'slow' BEGIN
                        SELECT rest() FROM accounts WHERE id = 'slow';
                        UPDATE accounts SET balance = balance; END
                    """)
        }
        let task = Task { [storage] in
            try await storage.save(["c", "slow", "d"].map { Account(id: $0, balance: 1) })
        }
        try await expectNothing(of: task, cancelledAt: rest)
    }

    @Test func itSeesWhatItWroteAndNobodyElseDoes() async throws {
        let rest = Rest()
        async let seen = storage.transaction { [storage] tx in
            try tx.save(Account(id: "a", balance: 1))
            let seen = try (tx.get(Account.self, id: "a")?.balance, storage.query(Account.self).sum(\.balance, in: tx))
            rest.enter()
            return seen
        }
        await rest.begun()
        #expect(try await storage.get(Account.self, id: "a")?.balance == 100)
        #expect(try await storage.query(Account.self).sum(\.balance) == 100)
        rest.leave()
        #expect(try await seen == (1, 1))
        #expect(try await storage.get(Account.self, id: "a")?.balance == 1)
    }

    @Test func cachesNeverGiveWhatWasUndone() async throws {
        _ = try await storage.get(Account.self, id: "a")
        try? await storage.transaction { tx in
            try tx.save(Account(id: "a", balance: 1))
            throw Missing()
        }
        #expect(try await storage.get(Account.self, id: "a")?.balance == 100)
        try await storage.transaction { tx in _ = try tx.save(Account(id: "a", balance: 2)) }
        #expect(try await storage.get(Account.self, id: "a")?.balance == 2)
    }

    @Test func aStreamIsToldOnceAfterTheCommit() async throws {
        let probe = StreamProbe(storage.query(Account.self).orderBy(\.id).observe())
        #expect(try await probe.next().map(\.balance) == [100, 0])
        try await storage.transaction { tx in
            try tx.save(Account(id: "a", balance: 50))
            try tx.save(Account(id: "b", balance: 50))
        }
        #expect(try await probe.next().map(\.balance) == [50, 50])
    }

    // MARK: - Parts of it

    @Test func aSavepointIsUndoneAlone() async throws {
        try await storage.transaction { tx in
            try tx.save(Account(id: "a", balance: 1))
            #expect(throws: Missing()) {
                try tx.savepoint {
                    try tx.save(Account(id: "b", balance: 1))
                    throw Missing()
                }
            }
            #expect(try tx.get(Account.self, id: "b")?.balance == 0)
        }
        #expect(try await balances() == [1, 0])
    }

    @Test(arguments: [false, true])
    func aWriteThatThrowsLeavesNothingThoughTheClosureGoesOn(isTriggerOfAnother: Bool) async throws {
        // What triggers may do is known from now on, until the schema is another.
        try await storage.transaction { try $0.save(Account(id: "b", balance: 0)) }
        let other: any GRDB.DatabaseWriter =
            isTriggerOfAnother ? try GRDB.DatabaseQueue(path: store.url.path) : store.db.pool
        try await other.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE log (text TEXT);
                    CREATE TRIGGER fail AFTER INSERT ON accounts BEGIN
                        INSERT INTO log VALUES (NEW.id); SELECT RAISE(FAIL, 'no'); END
                    """)
        }
        try await storage.transaction { tx in
            #expect(throws: StorageError.self) { try tx.insert(Account(id: "c", balance: 1)) }
            try tx.save(Account(id: "a", balance: 7))
        }
        #expect(try await balances() == [7, 0])
        #expect(try await store.db.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM log") } == 0)
    }

    /// What triggers may do is known once a row was saved, and the transaction itself makes another.
    @Test func aWriteThatThrowsLeavesNothingThoughItsTransactionMadeTheTrigger() async throws {
        try await storage.transaction { tx in
            try tx.save(Account(id: "a", balance: 7))
            try tx.database.execute(
                sql: """
                    CREATE TABLE log (text TEXT);
                    CREATE TRIGGER fail AFTER INSERT ON accounts BEGIN
                        INSERT INTO log VALUES (NEW.id); SELECT RAISE(FAIL, 'no'); END
                    """)
            #expect(throws: StorageError.self) { try tx.save(Account(id: "c", balance: 1)) }
        }
        #expect(try await balances() == [7, 0])
        #expect(try await store.db.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM log") } == 0)
    }

    @Test func severalThatAreSavedAreSavedOrNone() async throws {
        try await storage.transaction { tx in
            #expect(throws: StorageError.self) {
                try tx.save([Account(id: "c", balance: 1, email: "x"), Account(id: "d", balance: 1, email: "x")])
            }
        }
        #expect(try await balances() == [100, 0])
    }

    @Test func severalThatAreInsertedAreInsertedOrNone() async throws {
        try await storage.transaction { tx in
            #expect(throws: StorageError.self) {
                try tx.insert([Account(id: "c", balance: 1), Account(id: "a", balance: 1)])
            }
        }
        #expect(try await balances() == [100, 0])
    }

    @Test func severalThatARepositoryPutsArePutOrNone() async throws {
        try await storage.transaction { [storage] tx in
            #expect(throws: StorageError.self) {
                try storage.repository(Account.self).putAll(
                    [Account(id: "c", balance: 1, email: "x"), Account(id: "d", balance: 1, email: "x")], in: tx)
            }
        }
        #expect(try await balances() == [100, 0])
    }

    // MARK: - The handle

    @Test func theHandleIsDeadAfterItsClosure() async throws {
        let leaked = Mutex<Leak?>(nil)
        try await storage.transaction { tx in leaked.withLock { $0 = Leak(tx) } }
        let leak = try #require(leaked.withLock { $0 })
        #expect(throws: StorageError.self) { try leak.transaction.get(Account.self, id: "a") }
        #expect(throws: StorageError.self) { try leak.transaction.save(Account(id: "a", balance: 1)) }
        #expect(throws: StorageError.self) { try leak.transaction.database }
        #expect(throws: StorageError.self) { try storage.query(Account.self).count(in: leak.transaction) }
        #expect(throws: StorageError.self) { try leak.transaction.savepoint {} }
        #expect(try await balances() == [100, 0])
    }

    /// Carries a handle where it must not go.
    private struct Leak: @unchecked Sendable {
        let transaction: StorageTransaction
        init(_ transaction: StorageTransaction) { self.transaction = transaction }
    }

    @Test func aHandleOfAnotherFileIsRefused() async throws {
        let other = try TemporaryStore { $0.autoSchema(AccountRecord.self) }
        try await other.storage.transaction { [storage] tx in
            #expect {
                try storage.query(Account.self).deleteAll(in: tx)
            } throws: {
                if case .invalidConfiguration? = $0 as? StorageError { true } else { false }
            }
        }
        #expect(try await balances() == [100, 0])
    }

    @Test func aHandleServesASecondStoreOfItsFile() async throws {
        let second = try TemporaryStore(folder: store.folder) { $0.autoSchema(AccountRecord.self) }
        let count = try await storage.transaction { [other = second.storage] tx in
            try other.query(Account.self).count(in: tx)
        }
        #expect(count == 2)
    }

    @Test func sqlBesideTheEntitiesIsPartOfIt() async throws {
        try? await storage.transaction { tx in
            try tx.database.execute(sql: "UPDATE accounts SET balance = 1")
            #expect(try tx.get(Account.self, id: "a")?.balance == 1)
            throw Missing()
        }
        #expect(try await balances() == [100, 0])
    }

    // MARK: - What ends it

    @Test(arguments: ["COMMIT", "ROLLBACK", "ROLLBACK; BEGIN IMMEDIATE"])
    func sqlThatEndsItIsAnErrorAndNothingIsKept(sql: String) async throws {
        await #expect(throws: (any Error).self) {
            try await storage.transaction { tx in
                try tx.save(Account(id: "a", balance: 1))
                try? tx.database.execute(sql: sql)
                #expect(throws: StorageError.self) { try tx.save(Account(id: "b", balance: 1)) }
                #expect(throws: StorageError.self) { try tx.get(Account.self, id: "b") }
            }
        }
        #expect(try await balances() == [100, 0])
        try await storage.save(Account(id: "a", balance: 3))
        #expect(try await balances() == [3, 0])
    }

    @Test func whatEndsItIsThrownThoughTheClosureReturns() async throws {
        try await store.db.write { db in
            try db.execute(
                sql:
                    "CREATE TRIGGER all_gone BEFORE INSERT ON accounts WHEN NEW.id = 'x' BEGIN SELECT RAISE(ROLLBACK, 'all gone'); END"
            )
        }
        let error = await #expect(throws: StorageError.self) {
            try await storage.transaction { tx in
                try tx.save(Account(id: "a", balance: 1))
                _ = try? tx.insert(Account(id: "x", balance: 1))
                _ = try? tx.save(Account(id: "b", balance: 1))
            }
        }
        #expect("\(try #require(error))".contains("all gone"))
        #expect(try await balances() == [100, 0])
    }

    @Test func soIsWhatEndsItInASavepoint() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await storage.transaction { tx in
                _ = try? tx.savepoint {
                    try tx.database.execute(sql: "UPDATE OR ROLLBACK accounts SET id = 'b' WHERE id = 'a'")
                }
            }
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        #expect(try await balances() == [100, 0])
    }

    @Test func aBrokenDeferredKeyIsAnErrorOfTheCommit() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: "CREATE TABLE notes (account TEXT REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED)")
        }
        await #expect(throws: StorageError.self) {
            try await storage.transaction { tx in
                try tx.save(Account(id: "a", balance: 1))
                try tx.database.execute(sql: "INSERT INTO notes VALUES ('nobody')")
            }
        }
        #expect(try await balances() == [100, 0])
    }

    @Test func aDeferredKeyMayBeBrokenUntilTheCommit() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE notes (account TEXT REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED);
                    INSERT INTO notes VALUES ('a'), ('b')
                    """)
        }
        try await storage.transaction { tx in
            try tx.delete(Account.self, id: "a")
            try tx.delete(Account(id: "b", balance: 0))
            try tx.save([Account(id: "a", balance: 5), Account(id: "b", balance: 6)])
        }
        #expect(try await balances() == [5, 6])
    }

    @Test func aClosedStoreBeginsNone() async throws {
        try await store.context.close()
        await #expect(throws: StorageError.self) { try await storage.transaction { _ in } }
        await #expect(throws: StorageError.self) { try await storage.snapshot { _ in } }
    }

    @Test func transactionsRunOneAfterTheOther() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { [storage] in
                    try await storage.transaction { tx in
                        guard var account = try tx.get(Account.self, id: "b") else { throw Missing() }
                        account.balance += 1
                        try tx.save(account)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await balances() == [100, 50])
    }

    // MARK: - Snapshots

    @Test func aSnapshotIsOneStateBesideWriters() async throws {
        let rest = Rest()
        async let sums = storage.snapshot { [storage] tx in
            let before = try storage.query(Account.self).sum(\.balance, in: tx)
            rest.enter()
            return (
                before, try storage.query(Account.self).sum(\.balance, in: tx),
                try tx.get(Account.self, id: "a")?.balance
            )
        }
        await rest.begun()
        try await storage.save(Account(id: "a", balance: 1))
        rest.leave()
        #expect(try await sums == (100, 100, 100))
    }

    @Test func aSnapshotsConnectionReadsAlone() async throws {
        await #expect(throws: DatabaseError.self) {
            try await storage.snapshot { try $0.database.execute(sql: "DELETE FROM accounts") }
        }
        #expect(try await balances() == [100, 0])
    }

    // MARK: - Every action

    @Test func everyReadOfAQueryGoesThroughTheHandle() async throws {
        try await storage.transaction { [storage] tx in
            try tx.insert(Account(id: "c", balance: 50, email: "c"))
            let query = storage.query(Account.self).orderBy(\.id)
            #expect(try query.fetch(in: tx).count == 3)
            #expect(try query.fetchOne(in: tx)?.id == "a")
            #expect(try query.first(by: \.balance, .descending, in: tx)?.id == "a")
            #expect(try query.where { $0.balance == 50 }.exists(in: tx))
            #expect(try query.count(in: tx) == 3)
            #expect(try query.sum(\.balance, in: tx) == 150)
            #expect(try query.avg(\.balance, in: tx) == 50)
            #expect(try query.min(\.balance, in: tx) == 0)
            #expect(try query.max(\.email, in: tx) == "c")
            try tx.insert(Account(id: "d", balance: 0, email: "b"))
            #expect(try query.min(\.email, in: tx) == "b")
            try tx.delete(Account.self, id: "d")
            #expect(try query.distinct(\.balance, in: tx) == [0, 50, 100])
            let page = try storage.query(Account.self).orderBy(\.id).page(limit: 2, in: tx)
            #expect(page.items.count == 2 && page.hasMore)
            #expect(
                try storage.query(Account.self).orderBy(\.id).page(after: page.next, limit: 2, in: tx).items.map(\.id)
                    == ["c"])
            #expect(try query.where { $0.id == "c" }.updateAll(in: tx) { [$0.balance.set(to: 1)] } == 1)
            #expect(try query.where { $0.balance == 1 }.deleteAll(in: tx) == 1)
            let accounts = storage.repository(Account.self)
            #expect(try accounts.get(id: "a", in: tx)?.balance == 100)
            #expect(try accounts.getAll(in: tx).count == 2)
            #expect(try accounts.getAll(where: "id", equals: "b", in: tx).count == 1)
            #expect(try accounts.countAll(in: tx) == 2)
            #expect(try accounts.getPage(limit: 1, in: tx).hasMore)
            try accounts.put(Account(id: "d", balance: 4), in: tx)
            try accounts.putAll([Account(id: "e", balance: 5)], in: tx)
            try accounts.delete(id: "d", in: tx)
            #expect(try accounts.deleteAll(where: "id", equals: "e", in: tx) == 1)
            #expect(try accounts.deleteAll(in: tx) == 2)
        }
        #expect(try await balances() == [])
    }
}
