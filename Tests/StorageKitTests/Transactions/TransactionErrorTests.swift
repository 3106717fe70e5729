import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// What writes in a transaction throw, and what they leave to its commit.
@Suite struct TransactionErrorTests {
    @StorageEntity(unique: [["shelf", "place"]])
    struct Seat: Equatable {
        var id: Int
        var shelf: String
        var place: Int
        @StorageUnique var label: String
    }

    @StorageEntity
    struct Branch: Equatable {
        var id: String
        @StorageReference(Branch.self) var parentId: String?
    }

    private let store: TemporaryStore
    private let storage: Storage

    init() throws {
        store = try TemporaryStore { $0.autoSchema(SeatRecord.self, BranchRecord.self, DraftRecord.self) }
        storage = store.storage
    }

    private func key(_ body: () throws -> Void) throws -> [String] {
        let error = #expect(throws: StorageError.self) { try body() }
        guard case .constraintViolated(let violation)? = error else { throw error ?? Missing() }
        #expect(violation.kind == .unique && violation.table == "seats")
        return violation.columns
    }

    @Test func aReadThatSQLiteAnswersByEndingTheTransactionSaysWhy() async throws {
        let store = try TemporaryStore(
            options: { options in
                options.pool.configure = { configuration in
                    configuration.prepareDatabase { db in
                        let full = DatabaseError(resultCode: .SQLITE_FULL)
                        db.add(function: .init("is_full", argumentCount: 1) { _ in throw full })
                    }
                }
            },
            schema: { $0.autoSchema(SeatRecord.self) })
        try await store.storage.save(Seat(id: 1, shelf: "a", place: 1, label: "1"))
        await #expect {
            try await store.storage.transaction { tx in
                _ = try? tx.sql("SELECT is_full(id) FROM seats", as: Int.self)
            }
        } throws: {
            guard case .queryFailed(_, let cause)? = $0 as? StorageError else { return false }
            return (cause as? DatabaseError)?.resultCode == .SQLITE_FULL
        }
    }

    @Test func aKeyOfSeveralColumnsIsNamedWhateverBreaksIt() async throws {
        try await storage.save(Seat(id: 1, shelf: "a", place: 1, label: "1"))
        let second = Seat(id: 2, shelf: "a", place: 1, label: "2")
        try await storage.transaction { [storage] tx in
            #expect(try key { try tx.save([second]) } == ["shelf", "place"])
            #expect(
                try key { try tx.save([second, Seat(id: 3, shelf: "b", place: 1, label: "3")]) } == ["shelf", "place"])
            #expect(try key { try tx.save(second, onConflict: .update(\.label)) } == ["shelf", "place"])
            try tx.save(Seat(id: 2, shelf: "a", place: 2, label: "2"))
            let query = storage.query(Seat.self).where { $0.id == 2 }
            #expect(try key { try query.updateAll(in: tx) { [$0.place.set(to: 1)] } } == ["shelf", "place"])
        }
        #expect(try await storage.all(Seat.self).map(\.place) == [1, 2])
    }

    @Test func aKeyThatSQLOfTheAppBreaksIsGRDBsError() async throws {
        try await storage.save(Seat(id: 1, shelf: "a", place: 1, label: "1"))
        let error = await #expect(throws: DatabaseError.self) {
            try await storage.transaction { tx in
                try tx.save(Seat(id: 2, shelf: "a", place: 2, label: "2"))
                try tx.database.execute(sql: "UPDATE seats SET place = 1")
            }
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
        #expect(try await storage.count(Seat.self) == 1)
    }

    @Test func aWriteThatATriggerOfTheConnectionFailsLeavesNothing() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER full AFTER INSERT ON main.seats WHEN NEW.place = 7
                    BEGIN SELECT RAISE(FAIL, 'full'); END
                    """)
        }
        try await storage.transaction { [storage] tx in
            #expect(throws: StorageError.self) { try tx.save(Seat(id: 1, shelf: "a", place: 7, label: "1")) }
            let left = try storage.query(Seat.self).count(in: tx)
            #expect(left == 0)
        }
    }

    // MARK: - Deferred keys

    @Test func aBatchDoesNotAnswerForKeysThatWereBrokenBefore() async throws {
        try await deferKeys()
        try await storage.transaction { tx in
            try tx.database.execute(sql: "INSERT INTO tickets VALUES (1)")
            try tx.save([Branch(id: "b", parentId: "a"), Branch(id: "a", parentId: nil)])
            #expect(try tx.insert([Branch(id: "d", parentId: "c"), Branch(id: "c", parentId: nil)]).count == 2)
            try tx.save(Seat(id: 1, shelf: "a", place: 1, label: "1"))
        }
        #expect(try await storage.count(Branch.self) == 4)
    }

    @Test func whatABatchBreaksBehindThemTheCommitRefuses() async throws {
        try await deferKeys()
        await #expect(throws: StorageError.self) {
            try await storage.transaction { tx in
                try tx.database.execute(sql: "INSERT INTO tickets VALUES (1)")
                try? tx.save([Branch(id: "b", parentId: "nowhere"), Branch(id: "c", parentId: "b")])
                try tx.save(Seat(id: 1, shelf: "a", place: 1, label: "1"))
            }
        }
        #expect(try await storage.count(Branch.self) == 0)
    }

    private func deferKeys() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: "CREATE TABLE tickets (seat INTEGER REFERENCES seats (id) DEFERRABLE INITIALLY DEFERRED)")
        }
    }

    // MARK: - The end

    @Test(arguments: ["COMMIT", "ROLLBACK"]) func whatComesBehindItsEndSaysThatItHasEnded(sql: String) async throws {
        let isEnded = { @Sendable (error: StorageError?) in
            guard case .transactionFailed(let cause)? = error else { return false }
            return cause is EndedTransactionError
        }
        let error = await storageError {
            try await storage.transaction { tx in
                try? tx.database.execute(sql: sql)
                let seat = Seat(id: 1, shelf: "a", place: 1, label: "1")
                #expect(isEnded(#expect(throws: StorageError.self) { try tx.save(seat) }))
                #expect(isEnded(#expect(throws: StorageError.self) { try tx.get(Seat.self, id: 1) }))
                #expect(isEnded(#expect(throws: StorageError.self) { try tx.database }))
            }
        }
        #expect(isEnded(error))
    }

    @Test(arguments: ["COMMIT", "END", "ROLLBACK"]) func sqlThatEndsItIsAnErrorOfTheStore(sql: String) async throws {
        let error = await storageError {
            try await storage.transaction { tx in
                try tx.insert(Seat(id: 1, shelf: "a", place: 1, label: "1"))
                try tx.database.execute(sql: sql)
            }
        }
        guard case .transactionFailed(let cause)? = error else { throw error ?? Missing() }
        #expect(cause is EndedTransactionError)
        #expect(try await storage.count(Seat.self) == 0)
    }

    @Test func aSnapshotThatWasEndedReadsNoOtherState() async throws {
        let error = await storageError {
            try await storage.snapshot { tx in
                try tx.database.execute(sql: "ROLLBACK")
                _ = try tx.get(Seat.self, id: 1)
            }
        }
        guard case .transactionFailed(let cause)? = error else { throw error ?? Missing() }
        #expect(cause is EndedTransactionError)
    }

    @Test func sqlOfAStoreIsNotAskedInAnotherFile() async throws {
        let other = try TemporaryStore { $0.autoSchema(SeatRecord.self) }
        let sql = storage.sql("SELECT count(*) FROM seats", as: Int.self)
        try await other.storage.snapshot { tx in
            for error in [
                #expect(throws: StorageError.self) { try sql.fetch(in: tx) },
                #expect(throws: StorageError.self) { try sql.fetchOne(in: tx) },
            ] {
                guard case .invalidConfiguration? = error else { throw error ?? Missing() }
            }
        }
    }

    @Test func aDeadHandleDeletesNotEvenWhatCannotBe() async throws {
        let leaked = Mutex<Leak?>(nil)
        try await storage.transaction { tx in leaked.withLock { $0 = Leak(transaction: tx) } }
        let transaction = try #require(leaked.withLock { $0 }).transaction
        #expect(throws: StorageError.self) { try transaction.delete(Seat.self, id: "no number") }
        #expect(throws: StorageError.self) {
            try storage.repository(Seat.self).delete(id: "no number", in: transaction)
        }
    }

    /// Carries a handle where it must not go.
    private struct Leak: @unchecked Sendable {
        let transaction: StorageTransaction
    }

    // MARK: - Versions

    @StorageEntity
    struct Cover {
        var id: Int
        @StorageReference(Draft.self) var draftId: String
    }

    @Test func aVersionedRowThatOthersReferToIsNamedWithThem() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self, CoverRecord.self) }
        let draft = try await store.storage.insert(Draft(id: "a", text: "1"))
        try await store.storage.save(Cover(id: 1, draftId: "a"))
        @Sendable func expectNamed(_ error: StorageError?) throws {
            guard case .constraintViolated(let violation)? = error else { throw error ?? Missing() }
            #expect(violation.kind == .foreignKey && violation.table == "covers" && violation.columns == ["draftId"])
        }
        try expectNamed(await storageError { try await store.storage.delete(draft) })
        try await store.storage.transaction { tx in
            try expectNamed(#expect(throws: StorageError.self) { try tx.delete(draft) })
        }
    }

    @Test func aVersionThatNoRowCanHaveIsAConflict() async throws {
        try await storage.insert(Draft(id: "a", text: "1"))
        for id in ["a", "b"] {
            let error = await storageError { try await storage.save(Draft(id: id, text: "2", version: .max)) }
            guard case .conflict(type: "Draft", id, expected: .max, _)? = error else { throw error ?? Missing() }
        }
        #expect(try await storage.all(Draft.self).map(\.version) == [1])
    }
}
