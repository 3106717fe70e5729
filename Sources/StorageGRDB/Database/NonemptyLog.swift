import GRDBSQLite

/// Sees to it that the write-ahead log of a file has something in it, for as long as this lives.
///
/// After a clean end there is no log, and where there is none GRDB makes a table and drops it. That makes the schema another one:
/// entries of the disk cache, which are believed in the schema that they were made in, would be void at each start.
final class NonemptyLog {
    private var connection: OpaquePointer?

    /// Writes to the log what the file has already. Where that is not possible GRDB has its way.
    init?(path: String) {
        let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        guard log ?? 0 == 0,
            sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            let connection, connection.isInWALMode, run("BEGIN IMMEDIATE"),
            let version = connection.firstText("PRAGMA user_version"),
            run("PRAGMA user_version = \(version)"), run("COMMIT")
        else {
            // The connection is closed all the same: what fails here has been made, and is unmade.
            return nil
        }
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    private func run(_ sql: String) -> Bool {
        sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    }
}
