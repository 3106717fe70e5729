import GRDB
import StorageSQLite

extension Database {
    /// The connection as our own layer above SQLite knows it.
    var borrowedConnection: Connection? { sqliteConnection.map { Connection(borrowing: $0) } }

    /// How long the connection waits for locks, be it as GRDB's configuration says or an app's own pragma; nil where the app's
    /// own handler waits, for as long as it likes.
    func busyTimeout() throws -> BusyTimeout? {
        guard let connection = sqliteConnection else { throw DatabaseError.storeIsClosed }
        if case .callback = configuration.busyMode { return nil }
        return try DatabaseError.from { () throws(SQLiteFailure) in try BusyTimeout(of: connection) }
    }

    /// Runs `body` with the busy handler off, and returns nil if another process held a lock that it needed.
    /// The caller then tries again where waiting does no harm.
    ///
    /// - Parameter timeout: How long the connection waits otherwise. Nil means that it cannot be kept from waiting.
    func withoutWaitingForLocks<T>(_ timeout: BusyTimeout?, _ body: () throws -> T) throws -> T? {
        guard let timeout, let connection = sqliteConnection else { return nil }
        do {
            return try timeout.suspended(on: connection, body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return nil
        }
    }
}
