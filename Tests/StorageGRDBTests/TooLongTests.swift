import GRDB
import GRDBSQLite
import StorageKit
import StorageTestSupport
import Testing

@Suite struct TooLongTests {
    @Test(arguments: [100, 101])
    func aValueTooLongForSQLiteIsAnErrorAndNotNULL(length: Int) async throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "SELECT 1")
        }
        let queue = try DatabaseQueue(configuration: configuration)
        try await queue.write { db in try TestUserRecord.createTable(in: db) }
        let repository = GenericRepository<TestUser, TestUserRecord>(db: DatabaseActor(pool: queue))
        try await repository.put(TestUser("1", email: "short"))
        // Every statement is prepared by now; from here on no text may be longer than 100 bytes.
        try await queue.write { db in _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 100) }
        let error = await storageError {
            try await repository.put(TestUser("1", email: String(repeating: "x", count: length)))
        }
        guard case .transactionFailed(let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? DatabaseError)?.resultCode == .SQLITE_TOOBIG)
        #expect(try await repository.get(id: "1")?.email == "short")
    }

    @Test func aNeedleTooLongForSQLiteIsAnErrorAndNotNULL() async throws {
        let queue = try DatabaseQueue()
        try await queue.write { db in try TestUserRecord.createTable(in: db) }
        let repository = GenericRepository<TestUser, TestUserRecord>(db: DatabaseActor(pool: queue))
        try await repository.put(TestUser("1", email: "short"))
        var plan = QueryPlan()
        plan.add(StorageGRDB.Column<String?>("email") != String(repeating: "x", count: 300))
        #expect(try await repository.count(plan) == 1)
        try await queue.write { db in _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 250) }
        let error = await storageError { _ = try await repository.count(plan) }
        guard case .queryFailed(_, let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? DatabaseError)?.resultCode == .SQLITE_TOOBIG)
    }
}
