import GRDBSQLite

extension Connection {
    /// A copy of the database in a file without a name, gone with the connection to it.
    func privateCopy() throws -> Connection {
        let copy = try Connection("", .create)
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw SQLiteError(copy.handle)
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw SQLiteError(copy.handle) }
        return copy
    }
}
