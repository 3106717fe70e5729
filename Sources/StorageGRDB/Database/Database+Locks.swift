import GRDB
import GRDBSQLite
import Synchronization

extension Database {
    /// Runs `body` with the busy handler off, and returns nil if another process held a lock that it needed.
    /// The caller then tries again where waiting does no harm.
    ///
    /// - Parameter patience: How long the connection waits otherwise.
    func withoutWaitingForLocks<T>(_ patience: BusyTimeout, _ body: () throws -> T) throws -> T? {
        // A closed connection says so itself, and SQLite traps.
        guard let connection = sqliteConnection else { return try body() }
        switch configuration.busyMode {
        case .immediateError: return try body()
        // What an app's own handler does is not known: it may well wait.
        case .callback: return nil
        case .timeout:
            let milliseconds = try patience.milliseconds(of: self)
            sqlite3_busy_timeout(connection, 0)
            defer { sqlite3_busy_timeout(connection, milliseconds) }
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

/// How long a writer waits for locks, be it as GRDB's configuration says or an app's own pragma. The connection is asked once.
final class BusyTimeout: Sendable {
    private let known = Atomic<Int32>(-1)

    func milliseconds(of db: Database) throws -> Int32 {
        let milliseconds = known.load(ordering: .relaxed)
        if milliseconds >= 0 { return milliseconds }
        let asked = try Int32.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
        known.store(asked, ordering: .relaxed)
        return asked
    }
}

extension Error {
    /// Whether it says nothing of what was read or written: another connection had a lock, or the caller was cancelled.
    var isOfThisCall: Bool {
        if self is CancellationError { return true }
        let codes: [ResultCode] = [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT, .SQLITE_ABORT]
        return (self as? DatabaseError).map { codes.contains($0.resultCode) } ?? false
    }
}
