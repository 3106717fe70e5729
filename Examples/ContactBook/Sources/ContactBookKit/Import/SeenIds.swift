import ContactBookModel
import StorageKit

/// The ids that a run has met. They are kept in a temporary table and not in a `Set`, so that memory does not
/// grow with the file; SQLite puts the table into a file of its own and drops it with the connection.
struct SeenIds: Sendable {
    private let pool: any DatabaseWriter

    /// Begins with none.
    init(_ book: ContactBook) async throws {
        pool = book.context.storage.pool
        try await pool.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY) WITHOUT ROWID")
            try db.execute(sql: "DELETE FROM temp.seen")
        }
    }

    /// Adds ids, and returns those that were not there.
    func insert(_ ids: [String]) async throws -> [String] {
        try await pool.write { db in
            let statement = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.seen VALUES (?)")
            return try ids.filter { id in
                try statement.execute(arguments: [id])
                return db.changesCount > 0
            }
        }
    }
}
