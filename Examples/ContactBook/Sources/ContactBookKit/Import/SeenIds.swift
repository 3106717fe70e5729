import ContactBookModel
import StorageKit

/// The ids that a run has met. They are kept in a temporary table and not in a `Set`, so that memory does not
/// grow with the file; SQLite puts the table into a file of its own and drops it with the connection.
struct SeenIds: Sendable {
    /// Begins with none.
    init(_ book: ContactBook) async throws {
        try await book.context.storage.pool.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY) WITHOUT ROWID")
            try db.execute(sql: "DELETE FROM temp.seen")
        }
    }

    /// Adds ids, and returns those that were not there. They go with the transaction if it is rolled back.
    func insert(_ ids: [String], in tx: StorageTransaction) throws -> [String] {
        let db = try tx.database
        let statement = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.seen VALUES (?)")
        return try ids.filter { id in
            try statement.execute(arguments: [id])
            return db.changesCount > 0
        }
    }
}
