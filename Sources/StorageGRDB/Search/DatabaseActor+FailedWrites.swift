import GRDB
import GRDBSQLite
import Synchronization

extension DatabaseActor {
    /// Runs a write, and has FTS5 forget what it counted if SQLite rolled the transaction back by itself.
    ///
    /// FTS5 keeps the number of documents in memory while a transaction is open. Where the disk is full, fails, or the
    /// write is interrupted while FTS5 itself writes, SQLite rolls back in the middle of FTS5's work, which then keeps
    /// a number that no longer holds and puts it into the index with the next commit: ranks of that index are wrong or
    /// NULL from then on (seen with SQLite 3.40.1).
    func keepingIndexes<T>(of db: Database, _ body: (Database) throws -> T) throws -> T {
        do {
            return try body(db)
        } catch {
            if !db.isInsideTransaction {
                hasWrongCounts.store(true, ordering: .relaxed)
                try? mendIndexes(of: db)
            }
            throw error
        }
    }

    /// Has FTS5 forget what it counted, if it could not be told so when a write failed.
    ///
    /// - Throws: `DatabaseError` if it still cannot: what is written now would put wrong counts into the index. `CancellationError`
    ///   if that is because the task was cancelled.
    func mendIndexes(of db: Database) throws {
        guard hasWrongCounts.load(ordering: .relaxed) else { return }
        do {
            try db.refuseIfSuspended()
            try db.forgetCountsOfIndexes()
        } catch {
            if error.isOfThisCall { try Task.checkCancellation() }
            throw error
        }
        hasWrongCounts.store(false, ordering: .relaxed)
    }
}

extension Database {
    /// Throws if an app has suspended the database, which must take no lock then. GRDB alone knows, and refuses a transaction.
    fileprivate func refuseIfSuspended() throws {
        guard configuration.observesSuspensionNotifications else { return }
        try beginTransaction(.immediate)
        try rollback()
    }

    /// Rolls back a transaction that each index takes part in and that changes nothing. Not through GRDB, which refuses
    /// all statements of a task that was cancelled.
    fileprivate func forgetCountsOfIndexes() throws(DatabaseError) {
        for name in try fullTextIndexNames() {
            let deletion = "BEGIN; DELETE FROM main.\(name.quotedIdentifier) WHERE rowid IS NULL"
            let code = sqlite3_exec(sqliteConnection, deletion, nil, nil, nil)
            let error = lastError(code)
            if sqlite3_get_autocommit(sqliteConnection) == 0 {
                sqlite3_exec(sqliteConnection, "ROLLBACK", nil, nil, nil)
            }
            // An index that is damaged, or that nobody here can read, is not to keep all else from being written.
            guard [.SQLITE_OK, .SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode) else { throw error }
        }
    }

    private func fullTextIndexNames() throws(DatabaseError) -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT name, sql FROM main.sqlite_master WHERE type = 'table' AND sql LIKE 'create virtual table%'"
        var names: [String] = []
        var code = sqlite3_prepare_v2(sqliteConnection, sql, -1, &statement, nil)
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        while code == SQLITE_ROW {
            if let name = sqlite3_column_text(statement, 0), let sql = sqlite3_column_text(statement, 1),
                String(cString: sql).makesFTS5Table
            {
                names.append(String(cString: name))
            }
            code = sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else { throw lastError(code) }
        return names
    }

    private func lastError(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: sqlite3_errmsg(sqliteConnection).map { String(cString: $0) })
    }
}
