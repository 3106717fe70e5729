import GRDB
import StorageSQLite

// As GRDB's own, with statements that stay prepared: preparing them would take longer than running them.

extension Database {
    /// Runs `body` in a transaction that has the write lock from its beginning, or in a savepoint of the one that is open: all of
    /// it is written or nothing.
    ///
    /// - Parameter undone: Called if the body began, and what it wrote is not kept.
    func atomically<T>(_ body: () throws -> T, ifUndone undone: () -> Void = {}) throws -> T {
        try isInsideTransaction
            ? inSavepointOfOurs(body, undone) : inTransaction("BEGIN IMMEDIATE TRANSACTION", body, undone)
    }

    /// Runs a body to which the database does not change.
    func inOneState<T>(_ body: () throws -> T) throws -> T {
        try isInsideTransaction ? body() : inTransaction("BEGIN DEFERRED TRANSACTION", body, {})
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

    private func inTransaction<T>(_ begin: String, _ body: () throws -> T, _ undone: () -> Void) throws -> T {
        try cachedStatement(sql: begin).run()
        do {
            let result = try body()
            try cachedStatement(sql: "COMMIT TRANSACTION").run()
            return result
        } catch {
            // After some errors SQLite has rolled back by itself.
            if isInsideTransaction { try? rollback() }
            undone()
            throw error
        }
    }

    /// If the savepoint cannot be rolled back, the whole transaction is.
    private func inSavepointOfOurs<T>(_ body: () throws -> T, _ undone: () -> Void) throws -> T {
        try cachedStatement(sql: "SAVEPOINT storagekit_part").run()
        do {
            let result = try body()
            try cachedStatement(sql: "RELEASE SAVEPOINT storagekit_part").run()
            return result
        } catch {
            undone()
            guard isInsideTransaction else { throw error }
            do {
                try cachedStatement(sql: "ROLLBACK TRANSACTION TO SAVEPOINT storagekit_part").run()
                try cachedStatement(sql: "RELEASE SAVEPOINT storagekit_part").run()
            } catch let cause {
                try? rollback()
                // The caller was cancelled, and what the savepoint was to be undone for no longer matters.
                if cause is CancellationError { throw cause }
            }
            throw error
        }
    }

    /// Foreign keys that are checked at the commit only would make that fail, and with it all who share it.
    func refuseBrokenKeys() throws {
        guard hasBrokenKeys else { return }
        throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "FOREIGN KEY constraint failed")
    }

    var hasBrokenKeys: Bool {
        borrowedConnection?.hasBrokenDeferredKeys ?? false
    }
}
