import GRDB
import GRDBSQLite

extension OpaquePointer {
    /// Whether the connection, should it be the last to close its file, leaves the two files of the log beside it. Without them
    /// a process that may only read cannot open the database.
    var keepsLog: Bool {
        // A negative number asks.
        var answer: Int32 = -1
        sqlite3_file_control(self, "main", SQLITE_FCNTL_PERSIST_WAL, &answer)
        return answer == 1
    }

    /// - Throws: `DatabaseError` if SQLite refuses. A database without a file has no log, and is left as it is.
    func keepLog() throws {
        var isKept: Int32 = 1
        let code = sqlite3_file_control(self, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        guard [SQLITE_OK, SQLITE_NOTFOUND].contains(code) else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "the log cannot be kept")
        }
    }
}

extension Configuration {
    /// For a file that other processes of an app open too, as GRDB's guide to sharing a database has it: readers find the log,
    /// and whoever posts GRDB's suspension notification ends writes and keeps new ones from beginning.
    mutating func shareFile() {
        observesSuspensionNotifications = true
        prepareDatabase { db in
            guard !db.configuration.readonly else { return }
            try db.sqliteConnection?.keepLog()
        }
    }
}
