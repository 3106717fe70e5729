import StorageSQLite

/// Runs SQL, one call at a time, on the queue of its ``Turnstile``.
final class Connection {
    let sqlite: StorageSQLite.Connection
    var statements = StatementCache()
    /// Set while a statement is compiled that begins or ends a transaction or savepoint.
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
                path: path, code: SQLiteFailure.Kind.cannotOpen.rawValue,
                message: "the path is empty or contains a NUL")
        }
        do {
            sqlite = try StorageSQLite.Connection(path: path, .create, busyTimeout: busyTimeout)
        } catch {
            throw SQLiteError.cannotOpen(path: path, code: error.primaryCode, message: error.message)
        }
        sqlite.disableDoubleQuotedStringLiterals()
        watch(busyTimeout)
        do {
            // The second statement reads the file: one that is no database is found out here.
            _ = try execute("PRAGMA foreign_keys = ON; PRAGMA schema_version", [])
        } catch SQLiteError.sqlite(let code, let message, _) {
            throw SQLiteError.cannotOpen(path: path, code: code, message: message)
        }
    }

    /// Whether no transaction is open, as SQLite sees it.
    var isAutocommit: Bool { sqlite.isAutocommit }

    /// Has SQLite tell what it compiles, and ask now and then whether to go on, or to go on waiting.
    private func watch(_ busyTimeout: Int32) {
        sqlite.authorize { [unowned self] action in
            switch action {
            case .transactionControl: sawTransactionControl = true
            case .pragma where isLookingAhead: return .ignore
            default: break
            }
            return .allow
        }
        // On the thread of the task that runs the statement.
        sqlite.interrupt { [unowned self] in isInterruptible && Task.isCancelled }
        sqlite.waitForLocks(busyTimeout) { Task.isCancelled }
    }
}
