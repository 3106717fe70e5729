/// An SQLite database: runs SQL, returns rows, and keeps transactions apart from everything else.
///
/// ```swift
/// let database = try await SQLiteDatabase(path: url.path)
/// try await database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
/// try await database.execute("INSERT INTO notes (text) VALUES (?)", [.text("Water the plants")])
/// let rows = try await database.rows("SELECT * FROM notes")
/// ```
///
/// Calls take turns in the order in which they come. While one waits, no thread is blocked; SQLite itself runs on a
/// queue of its own. A task that is cancelled gets `CancellationError`: at once where it reads, after the statement
/// where it writes inside a transaction, and where it waits as soon as no statement of another task runs. Foreign keys
/// are enforced, and `"x"` is always a name, never a text.
///
/// The closures of ``withTransaction(isolation:_:)`` receive a `SQLiteDatabase` too, the handle of the transaction.
public actor SQLiteDatabase {
    /// The path of the file; `:memory:` for a database in memory.
    public nonisolated var path: String { turnstile.path }
    nonisolated let turnstile: Turnstile
    nonisolated let level: Int

    /// The executor of the connection, on whose queue SQLite runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { turnstile.unownedExecutor }

    /// Opens a file, or makes it.
    ///
    /// The connection closes with ``close()``, or when nothing refers to the database any more.
    ///
    /// - Parameters:
    ///   - path: The path of the file, whose folder has to exist; `:memory:` for a database in memory.
    ///   - busyTimeout: How long a statement waits for the locks of other connections before it fails with SQLite's code 5; five seconds
    ///     unless set. One whose task is cancelled waits no longer, unless SQL has set a time by `PRAGMA busy_timeout`.
    /// - Throws: ``SQLiteError/cannotOpen(path:code:message:)``, also if the file is something else than a database.
    public init(path: String, busyTimeout: Duration = .seconds(5)) async throws {
        self.init(turnstile: try await Turnstile(path: path, busyTimeout: busyTimeout), level: Turnstile.ground)
    }

    init(turnstile: Turnstile, level: Int) {
        self.turnstile = turnstile
        self.level = level
    }

    /// Makes a database in memory, which is gone when nothing refers to it any more.
    ///
    /// - Throws: ``SQLiteError/cannotOpen(path:code:message:)`` if there is no memory for it.
    public static func inMemory() async throws -> SQLiteDatabase {
        try await SQLiteDatabase(path: ":memory:")
    }

    /// Runs one or several statements, and lets the rows go that they return.
    ///
    /// Outside of a transaction each statement commits for itself: those before one that fails have done their work.
    /// Statements that come again are not compiled again.
    ///
    /// - Parameters:
    ///   - sql: The statements, with semicolons between.
    ///   - values: The values of the parameters (`?`). Each statement takes as many as it has parameters.
    /// - Returns: How many rows the statements inserted, updated and deleted, without what triggers and cascades did.
    /// - Throws: ``SQLiteError``, for instance ``SQLiteError/sqlite(code:message:sql:)`` with the statement at fault and
    ///   ``SQLiteError/bindingCount(expected:given:sql:)``; `CancellationError`.
    @discardableResult
    public func execute(_ sql: String, _ values: [SQLiteValue] = []) async throws -> Int {
        try await turnstile.perform(on: level) { connection in
            try connection.settled(sql) { try $0.execute(sql, values) }
        }
    }

    /// Runs one statement and returns all its rows. For a result that may be large, see
    /// ``forEachRow(_:_:isolation:_:)``.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values of its parameters (`?`).
    /// - Throws: ``SQLiteError``, for instance ``SQLiteError/notOneStatement(sql:)``; `CancellationError`.
    public func rows(_ sql: String, _ values: [SQLiteValue] = []) async throws -> [Row] {
        try await turnstile.perform(on: level) { connection in
            try connection.settled(sql) { try $0.rows(sql, values) }
        }
    }

    /// Compiles one statement, which finds its errors, and does not run it.
    ///
    /// ```swift
    /// let insert = try await database.prepare("INSERT INTO notes (text) VALUES (?)")
    /// for line in lines {
    ///     try await insert.bind([.text(line)]).execute()
    /// }
    /// ```
    ///
    /// SQLite carries out many a `PRAGMA` while it compiles it. Of one, therefore, only the syntax is looked at before it
    /// runs, and ``SQLiteStatement/columns`` is empty, even if it returns rows. Where another connection has
    /// changed the tables, the columns may be those from before, until this one reads again.
    ///
    /// - Parameter sql: The statement.
    /// - Throws: ``SQLiteError``, for instance ``SQLiteError/notOneStatement(sql:)``; `CancellationError`.
    public func prepare(_ sql: String) async throws -> SQLiteStatement {
        try await turnstile.perform(on: level) { connection in
            // Not the one that is kept: the tables may be others since it was compiled.
            let statement = try connection.compile(sql)
            defer { connection.giveBack(statement, for: sql) }
            return SQLiteStatement(
                database: self, sql: sql, parameterCount: statement.parameterCount, columns: statement.columns.names)
        }
    }

    /// Closes the connection, after the calls that came before. Calls that come later throw
    /// ``SQLiteError/closed(path:)``; closing again does nothing.
    ///
    /// - Throws: ``SQLiteError/heldByCaller(path:)`` inside a transaction or walk, and from the handle of a transaction;
    ///   `CancellationError` if the task was cancelled before its turn, and then the database stays open.
    public func close() async throws {
        guard level == Turnstile.ground else { throw SQLiteError.heldByCaller(path: path) }
        try await turnstile.close()
    }

    /// Does some work with the connection, all of it or nothing.
    func atomically<T: Sendable>(_ work: @Sendable (Connection) throws -> T) async throws -> T {
        try await turnstile.perform(on: level) { try $0.atomically(work) }
    }
}
