import GRDB
import StorageSQLite

extension Configuration {
    /// For a file that other processes of an app open too, as GRDB's guide to sharing a database has it: readers find the log,
    /// and whoever posts GRDB's suspension notification ends writes and keeps new ones from beginning.
    mutating func shareFile() {
        observesSuspensionNotifications = true
        prepareDatabase { db in
            guard !db.configuration.readonly, let connection = db.sqliteConnection else { return }
            try DatabaseError.from { () throws(SQLiteFailure) in try Connection(borrowing: connection).keepLog() }
        }
    }
}
