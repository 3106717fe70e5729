import GRDB
import GRDBSQLite

extension Database {
    /// Runs `body` with the busy handler off, and returns nil if another process held a lock that it needed.
    /// The caller then tries again where waiting does no harm.
    func withoutWaitingForLocks<T>(_ body: () throws -> T) throws -> T? {
        guard case .timeout(let seconds) = configuration.busyMode else { return nil }
        sqlite3_busy_timeout(sqliteConnection, 0)
        defer { sqlite3_busy_timeout(sqliteConnection, Int32(seconds * 1000)) }
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return nil
        }
    }
}
