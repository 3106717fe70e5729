import GRDB
import GRDBSQLite
import StorageKit
import StorageTestSupport
import Testing

@Suite struct TooLongTests {
    /// A repository with the row `1`, to which every statement is prepared, so that a limit meets values alone.
    private func repository(limit: Int32) async throws -> GenericRepository<TestUser, TestUserRecord> {
        let queue = try DatabaseQueue()
        try await queue.write { db in try TestUserRecord.createTable(in: db) }
        let repository = GenericRepository<TestUser, TestUserRecord>(db: DatabaseActor(pool: queue))
        try await repository.put(TestUser("1", email: "short"))
        try await repository.putAll([TestUser("1", email: "short"), TestUser("2", email: "short")])
        try await queue.write { db in _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, limit) }
        return repository
    }

    @Test func aRowTooLongForSQLiteIsAnError() async throws {
        let repository = try await repository(limit: 100)
        let error = await storageError {
            try await repository.put(TestUser("1", email: String(repeating: "x", count: 100)))
        }
        guard case .transactionFailed(let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? DatabaseError)?.resultCode == .SQLITE_TOOBIG)
        #expect(try await repository.get(id: "1")?.email == "short")
    }

    @Test func aValueTooLongForSQLiteIsAnErrorThatNamesItsColumnAndNotNULL() async throws {
        let repository = try await repository(limit: 100)
        let error = await storageError {
            try await repository.put(TestUser("1", email: String(repeating: "x", count: 101)))
        }
        guard case .entityEncodingFailed("TestUser", let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? ColumnEncodingError)?.column == "email")
        #expect(try await repository.get(id: "1")?.email == "short")
    }

    @Test func anInsertAndAnUpdateNameTheColumnOfAValueThatIsTooLong() async throws {
        let repository = try await repository(limit: 1000)
        let long = String(repeating: "x", count: 1001)
        for error in [
            await storageError { try await repository.insert(TestUser("3", email: long)) },
            await storageError { try await repository.update(TestUser("1", email: long)) },
        ] {
            guard case .entityEncodingFailed("TestUser", let underlying) = error else {
                Issue.record("unexpected: \(String(describing: error))")
                continue
            }
            #expect((underlying as? ColumnEncodingError)?.column == "email")
        }
        #expect(try await repository.get(id: "1")?.email == "short")
    }

    @Test func aValueOfABatchThatIsTooLongIsAnErrorThatNamesItsColumn() async throws {
        let repository = try await repository(limit: 100)
        let long = TestUser("1", email: String(repeating: "x", count: 101))
        for users in [[long], [TestUser("2", email: "short"), long]] {
            let error = await storageError { try await repository.putAll(users) }
            guard case .entityEncodingFailed("TestUser", let underlying) = error else {
                Issue.record("unexpected: \(String(describing: error))")
                continue
            }
            #expect((underlying as? ColumnEncodingError)?.column == "email")
        }
        #expect(try await repository.get(id: "1")?.email == "short")
    }

    @Test func aNeedleTooLongForSQLiteIsAnErrorAndNotNULL() async throws {
        let queue = try DatabaseQueue()
        try await queue.write { db in try TestUserRecord.createTable(in: db) }
        let repository = GenericRepository<TestUser, TestUserRecord>(db: DatabaseActor(pool: queue))
        try await repository.put(TestUser("1", email: "short"))
        var plan = repository.table.plan
        plan.add((StorageGRDB.Column<String?>("email") != String(repeating: "x", count: 300)).node)
        #expect(try await repository.run(repository.table.count(plan)) == 1)
        try await queue.write { db in _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 250) }
        let error = await storageError { _ = try await repository.run(repository.table.count(plan)) }
        guard case .queryFailed(_, let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? DatabaseError)?.resultCode == .SQLITE_TOOBIG)
    }
}
