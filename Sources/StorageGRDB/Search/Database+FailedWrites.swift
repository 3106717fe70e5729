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
            if !db.isInsideTransaction { forgetCounts(in: db) }
            throw error
        }
    }

    /// Has FTS5 forget what it counted, if it could not be told so when a write failed.
    func mendIndexes() async throws {
        guard hasWrongCounts.load(ordering: .acquiring) else { return }
        try await openWriter.writeWithoutTransaction { [self] db in forgetCounts(in: db) }
    }

    private func forgetCounts(in db: Database) {
        hasWrongCounts.store(!db.forgetCountsOfIndexes(), ordering: .releasing)
    }
}

extension Database {
    /// Rolls back a transaction that each index takes part in and that changes nothing. Not through GRDB, which refuses
    /// all statements of a task that was cancelled.
    ///
    /// - Returns: Whether it could be done.
    fileprivate func forgetCountsOfIndexes() -> Bool {
        guard let names = fullTextIndexNames() else { return false }
        guard !names.isEmpty else { return true }
        let deletions = names.map { "DELETE FROM main.\($0.quotedIdentifier) WHERE rowid IS NULL;" }
        let code = sqlite3_exec(sqliteConnection, "BEGIN; \(deletions.joined(separator: " "))", nil, nil, nil)
        if sqlite3_get_autocommit(sqliteConnection) == 0 { sqlite3_exec(sqliteConnection, "ROLLBACK", nil, nil, nil) }
        return code == SQLITE_OK
    }

    /// - Returns: Nil if the schema cannot be read.
    private func fullTextIndexNames() -> [String]? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT name, sql FROM main.sqlite_master WHERE type = 'table' AND sql LIKE 'create virtual table%'"
        guard sqlite3_prepare_v2(sqliteConnection, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        var names: [String] = []
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW {
            if let name = sqlite3_column_text(statement, 0), let sql = sqlite3_column_text(statement, 1),
                String(cString: sql).makesFTS5Table
            {
                names.append(String(cString: name))
            }
            code = sqlite3_step(statement)
        }
        return code == SQLITE_DONE ? names : nil
    }
}
