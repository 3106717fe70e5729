import GRDBSQLite
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// SQLite tells of a blob that is written in place without what it becomes.
@Suite struct BlobWriteTests {
    @Test func aRowWhoseBlobIsWrittenInPlaceIsCountedForAMonitor() async throws {
        let log = EventLog(committedRowLimit: 10)
        let store = try TemporaryStore(options: { $0.monitor = log }) { schema in
            schema.migration("bytes") { db in
                try db.execute(
                    sql: "CREATE TABLE bytes (id INTEGER PRIMARY KEY, b BLOB); INSERT INTO bytes VALUES (1, x'00')")
            }
        }
        try await store.db.write { db in
            var blob: OpaquePointer?
            #expect(sqlite3_blob_open(db.sqliteConnection, "main", "bytes", "b", 1, 1, &blob) == SQLITE_OK)
            #expect(sqlite3_blob_write(blob, "x", 1, 0) == SQLITE_OK)
            #expect(sqlite3_blob_close(blob) == SQLITE_OK)
        }
        let commits = log.events.compactMap { if case .commit(let rows) = $0 { rows } else { nil } }
        let table = try #require(commits.last?.tables.first)
        #expect(table.name == "bytes" && table.rows.isEmpty && table.count == 1)
    }
}
