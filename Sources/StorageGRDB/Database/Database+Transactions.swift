import GRDB

extension Database {
    /// Runs `body` in a transaction that has the write lock from its beginning. The same as GRDB's, with statements that
    /// stay prepared: preparing them would take longer than running them.
    ///
    /// - Parameter undone: Called if the transaction began and was not committed.
    func inImmediateTransaction<T>(_ body: () throws -> T, orElse undone: () -> Void = {}) throws -> T {
        try cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
        do {
            let result = try body()
            try cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return result
        } catch {
            // After some errors SQLite has rolled back by itself.
            if isInsideTransaction { try? rollback() }
            undone()
            throw error
        }
    }

    /// Runs a body of the app's in a transaction of which GRDB knows: once SQLite has rolled it back, it refuses all statements
    /// that follow, which would be committed one by one.
    func inGuardedTransaction<T>(_ body: () throws -> T) throws -> T {
        var result: T?
        try inTransaction {
            result = try body()
            return .commit
        }
        guard let result else { preconditionFailure("a transaction was committed without its body") }
        return result
    }
}
