public import GRDB
import GRDBSQLite
import StorageSQLite

extension DatabaseActor {
    /// Wraps a pool or a queue.
    ///
    /// Use one `DatabaseActor` for each pool. `StorageKit.start` makes it for you; this initialiser is for
    /// databases in memory and for pools that an app opened itself.
    ///
    /// - Parameters:
    ///   - pool: A GRDB `DatabasePool` or `DatabaseQueue`.
    ///   - watchesOtherProcesses: Whether streams notice commits of other processes by themselves, while there are any.
    public convenience init(pool: some DatabaseWriter, watchesOtherProcesses: Bool = true) {
        self.init(pool, watchesOtherProcesses: watchesOtherProcesses, mayRestartQueries: true)
    }

    /// - Parameter mayRestartQueries: Whether a query may be stopped and begin again on another thread.
    package convenience init(
        _ pool: some DatabaseWriter, watchesOtherProcesses: Bool, mayRestartQueries: Bool,
        monitor: (any StorageMonitor)? = nil
    ) {
        self.init(
            pool, watchesOtherProcesses: watchesOtherProcesses, mayRestartQueries: mayRestartQueries, monitor: monitor,
            repair: { try $0.forgetCountsOfIndexes() })
    }
}

extension Database {
    /// Has FTS5 forget what it counted in a transaction that SQLite rolled back by itself.
    ///
    /// FTS5 keeps the number of documents in memory while a transaction is open. Where the disk is full, fails, or the
    /// write is interrupted while FTS5 itself writes, SQLite rolls back in the middle of FTS5's work, which then keeps
    /// a number that no longer holds and puts it into the index with the next commit: ranks of that index are wrong or
    /// NULL from then on (seen with SQLite 3.40.1).
    ///
    /// - Throws: `DatabaseError` if it cannot be told now: what is written then would put wrong counts into the index.
    ///   `CancellationError` if that is because the task was cancelled.
    fileprivate func forgetCountsOfIndexes() throws {
        guard let connection = borrowedConnection else { throw DatabaseError.storeIsClosed }
        try refuseIfSuspended()
        do throws(SQLiteFailure) {
            // Not through GRDB, which refuses all statements of a task that was cancelled.
            for name in try connection.fullTextIndexNames() { try connection.rollBackDeletion(from: name) }
        } catch {
            let error = DatabaseError(error)
            if error.isOfThisCall { try Task.checkCancellation() }
            throw error
        }
    }

    /// Throws if an app has suspended the database, which must take no lock then. GRDB alone knows, and refuses a transaction.
    private func refuseIfSuspended() throws {
        guard configuration.observesSuspensionNotifications else { return }
        try beginTransaction(.immediate)
        try rollback()
    }
}

extension Connection {
    /// Rolls back a transaction that the index takes part in and that changes nothing.
    fileprivate func rollBackDeletion(from index: String) throws(SQLiteFailure) {
        let failure = deletingNothing(from: index)
        if !isAutocommit { try? run("ROLLBACK") }
        guard let failure else { return }
        // An index that is damaged, or that nobody here can read, is not to keep all else from being written.
        let isOfTheIndex = [SQLITE_CORRUPT, SQLITE_ERROR].contains(failure.primaryCode)
        if !isOfTheIndex || (Task.isCancelled && failure.canBeInterruption) { throw failure }
    }

    private func deletingNothing(from index: String) -> SQLiteFailure? {
        do throws(SQLiteFailure) {
            // Who begins to read cannot wait for others once he writes.
            try run("BEGIN IMMEDIATE")
            try run("DELETE FROM main.\(index.quotedIdentifier) WHERE rowid IS NULL")
            return nil
        } catch {
            return error
        }
    }

    fileprivate func fullTextIndexNames() throws(SQLiteFailure) -> [String] {
        let tables = try prepare(
            "SELECT name, sql FROM main.sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'")
        var names: [String] = []
        while try tables.handle.step() {
            if case .text(let name) = tables.handle.cell(at: 0).value,
                case .text(let sql) = tables.handle.cell(at: 1).value, sql.makesFTS5Table
            {
                names.append(name)
            }
        }
        return names
    }
}
