import GRDB
import GRDBSQLite

extension Database {
    /// Runs `body` with the busy handler off, and returns nil if another process held a lock that it needed.
    /// The caller then tries again where waiting does no harm.
    func withoutWaitingForLocks<T>(_ body: () throws -> T) throws -> T? {
        // A closed connection says so itself, and SQLite traps.
        guard let connection = sqliteConnection else { return try body() }
        switch configuration.busyMode {
        case .immediateError: return try body()
        // What an app's own handler does is not known: it may well wait.
        case .callback: return nil
        case .timeout(let seconds):
            sqlite3_busy_timeout(connection, 0)
            defer { sqlite3_busy_timeout(connection, Int32(seconds * 1000)) }
            return try nilIfBusy(body)
        }
    }

    private func nilIfBusy<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return nil
        }
    }
}
