import GRDB
import GRDBSQLite
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Transactions that are ended by SQLite's own calls, of which GRDB does not know.
@Suite(.timeLimit(.minutes(20))) struct EndPastGRDBTests {
    @Test func nothingIsKeptOfATransactionThatWasEndedPastGRDBAndBegunAnew() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        await #expect(throws: StorageError.self) {
            try await store.storage.transaction { tx in
                try tx.save(TestUser("a"))
                let connection = try tx.database.sqliteConnection
                for sql in ["COMMIT", "BEGIN IMMEDIATE"] { sqlite3_exec(connection, sql, nil, nil, nil) }
                #expect(throws: StorageError.self) { try tx.save(TestUser("b")) }
            }
        }
        #expect(try await store.storage.count(TestUser.self) == 0)
    }
}
