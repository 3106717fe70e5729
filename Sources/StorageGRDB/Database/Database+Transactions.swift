import GRDB

extension Database {
    /// Runs `body` in a transaction that has the write lock from its beginning. The same as GRDB's, with statements that
    /// stay prepared: preparing them would take longer than running them.
    func inImmediateTransaction(_ body: () throws -> Void) throws {
        try cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
        do {
            try body()
            try cachedStatement(sql: "COMMIT TRANSACTION").execute()
        } catch {
            // After some errors SQLite has rolled back by itself.
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }
}
