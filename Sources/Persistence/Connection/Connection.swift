import Foundation
import GRDBSQLite

/// SQLite's connection: runs SQL, one call at a time, on the queue of its ``Turnstile``.
final class Connection {
    let pointer: OpaquePointer
    var statements = StatementCache()
    /// Set by SQLite while it compiles a statement that begins or ends a transaction or savepoint.
    var sawTransactionControl = false
    /// Whether a statement is compiled only to look at it: pragmas are passed over then.
    var isLookingAhead = false
    /// Whether the running statement may be interrupted when its task is cancelled.
    var isInterruptible = false
    /// How many transactions are open, one in the other.
    var depth = 0

    /// Opens or makes a database.
    ///
    /// - Parameters:
    ///   - path: The file, or `:memory:`.
    ///   - busyTimeout: How many milliseconds to wait for the locks of other connections.
    init(path: String, busyTimeout: Int32) throws {
        // SQLite would open another file, or one that is gone when it closes.
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw SQLiteError.cannotOpen(
                path: path, code: SQLITE_CANTOPEN, message: "the path is empty or contains a NUL")
        }
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened, code == SQLITE_OK else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw SQLiteError.cannotOpen(path: path, code: code, message: message)
        }
        pointer = opened
        sqlite3_extended_result_codes(pointer, 1)
        sqlite3_busy_timeout(pointer, busyTimeout)
        _disableDoubleQuotedStringLiterals(pointer)
        watch()
        do {
            // The second statement reads the file: one that is no database is found out here.
            _ = try execute("PRAGMA foreign_keys = ON; PRAGMA schema_version", [])
        } catch SQLiteError.sqlite(let code, let message, _) {
            throw SQLiteError.cannotOpen(path: path, code: code, message: message)
        }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(pointer)
    }

    /// Whether no transaction is open, as SQLite sees it.
    var isAutocommit: Bool { sqlite3_get_autocommit(pointer) != 0 }

    /// Has SQLite tell what it compiles, and ask now and then whether to go on.
    private func watch() {
        let this = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            pointer,
            { context, action, _, _, _, _ in
                let connection = Connection.at(context)
                if action == SQLITE_TRANSACTION || action == SQLITE_SAVEPOINT {
                    connection?.sawTransactionControl = true
                }
                return action == SQLITE_PRAGMA && connection?.isLookingAhead == true ? SQLITE_IGNORE : SQLITE_OK
            }, this)
        // Called on the thread of the task that runs the statement.
        sqlite3_progress_handler(
            pointer, 1000,
            { context in
                Connection.at(context)?.isInterruptible == true && Task.isCancelled ? 1 : 0
            }, this)
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Connection? {
        context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }
}
