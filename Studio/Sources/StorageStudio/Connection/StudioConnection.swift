import StorageSQLite
import StudioSQLite

/// A connection to the file with a thread of its own, opened with its first use and anew when another file has taken the place of
/// the first.
///
/// A file is a stranger's: its schema is not trusted, and no statement does more than its ``Permission`` says.
actor StudioConnection {
    private nonisolated let executor = QueueExecutor()
    /// Runs the actor on its own queue: SQLite blocks none of the threads that tasks share.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let path: String
    private let purpose: Permission.Purpose
    private var open: (connection: Connection, permission: Permission, file: [Int])?
    private let limits: RunLimits
    /// Takes the rows of what is committed here; nil for nobody.
    private let commits: KnownCommits?
    /// Notes them, where the SQLite library tells of rows.
    private var log: ChangedRowLog?
    private var kept: (version: Cell, schema: StudioSchema)?

    /// - Parameters:
    ///   - path: The file.
    ///   - purpose: What the connection is for.
    ///   - commits: Takes the rows of what is committed here.
    ///   - heartbeat: Called now and then while a statement runs, on its thread.
    init(
        _ path: String, _ purpose: Permission.Purpose, commits: KnownCommits? = nil,
        heartbeat: (@Sendable () -> Void)? = nil
    ) {
        self.path = path
        self.purpose = purpose
        self.commits = commits
        limits = RunLimits(heartbeat: heartbeat)
    }

    /// How long the statements of one request may run.
    static let deadline = Duration.seconds(5)
    /// How many steps of SQLite's machine they may take; a row takes some twenty.
    static let stepLimit = 2_000_000_000

    /// Runs a body in one transaction, so that all it reads is of one moment.
    ///
    /// - Throws: ``StudioError``.
    func run<T: Sendable>(
        within duration: Duration = deadline, _ body: @Sendable (Connection) throws -> T
    ) throws -> T {
        try limited(within: duration) { connection, permission in
            try permission.transaction(connection) { try body(connection) }
        }
    }

    /// Runs a body that may read the schema, which is read once as long as it stays the same.
    ///
    /// - Throws: ``StudioError``.
    func run<T: Sendable>(
        within duration: Duration = deadline, _ body: @Sendable (Connection, StudioSchema) throws -> T
    ) throws -> T {
        try limited(within: duration) { connection, permission in
            try permission.transaction(connection) { try body(connection, try schema(connection)) }
        }
    }

    /// Runs a body that writes, in one transaction that is kept if the body says so.
    ///
    /// - Throws: ``StudioError``.
    func write<T: Sendable>(
        _ body: @Sendable (Connection, StudioSchema) throws -> (result: T, isKept: Bool)
    ) throws -> T {
        try limited(within: StudioConnection.deadline) { connection, permission in
            try permission.control("BEGIN IMMEDIATE", connection)
            log?.clear()
            do {
                let (result, isKept) = try body(connection, try schema(connection))
                let rows = isKept ? try log?.take(connection) : nil
                if isKept || !connection.isAutocommit {
                    try permission.control(isKept ? "COMMIT" : "ROLLBACK", connection)
                }
                if let rows { commits?.add(rows) }
                return result
            } catch {
                if !connection.isAutocommit { try? permission.control("ROLLBACK", connection) }
                throw error
            }
        }
    }

    /// Whether a statement would change rows here. It is compiled, and does nothing.
    ///
    /// - Throws: ``StudioError`` if SQLite does not understand it, or it is not allowed.
    func changesRows(_ sql: String) throws -> Bool {
        try limited(within: StudioConnection.deadline) { connection, permission in
            // VACUUM writes too, and asks for nothing while it is compiled.
            permission.sawChange = false
            return !(try connection.prepare(sql)).handle.isReadOnly && permission.sawChange
        }
    }

    /// What is wrong with the file. Some of it is tried on a copy, which the same limits hold for.
    ///
    /// - Throws: ``StudioError``.
    func findings(within duration: Duration = deadline) throws -> [Finding] {
        try limited(within: duration) { connection, permission in
            let findings = try permission.transaction(connection) {
                try Examination(of: DatabaseFile(path), connection, copying: limitedCopy).findings()
            }
            // An index that could not be read to its end looks like a damaged one.
            if let reason = limits.reason { throw StudioError(stopped: reason) }
            return findings
        }
    }

    private func limitedCopy(of connection: Connection) throws -> Connection {
        let copy = try Connection("", .create)
        try BoundedFunctions().add(to: copy)
        try copy.harden(trustsSchema: false)
        let limits = limits
        try connection.copy(
            to: copy,
            progress: { _, _ in
                if limits.isOver(), let reason = limits.reason { throw StudioError(stopped: reason) }
            })
        copy.interrupt { limits.isOver() }
        return copy
    }

    // MARK: - Opening

    private func limited<T>(
        within duration: Duration, _ body: (Connection, Permission) throws -> T
    ) throws -> T {
        do {
            let (connection, permission) = try current()
            limits.begin(within: duration, steps: StudioConnection.stepLimit)
            return try body(connection, permission)
        } catch {
            throw StudioError(error, stopped: limits.reason, path: path)
        }
    }

    private func current() throws -> (Connection, Permission) {
        let identity = try FileState(path).identity
        if let open, open.file == identity { return (open.connection, open.permission) }
        open = nil
        log = nil
        kept = nil
        _ = try DatabaseFile(path)
        let connection = try Connection(path: path, purpose == .look ? .read : .write, busyTimeout: 2000)
        connection.addStorageKitSQL()
        try BoundedFunctions().add(to: connection)
        try connection.run(purpose == .look ? "PRAGMA query_only = ON" : "PRAGMA foreign_keys = ON")
        try connection.run("PRAGMA cell_size_check = ON")
        // SQLite takes FTS5 in a trigger for unsafe otherwise. What functions a trigger calls is asked of the permission all the same.
        try connection.harden(trustsSchema: purpose == .change)
        let permission = Permission(purpose)
        connection.authorize { permission.answer($0) }
        let limits = limits
        connection.interrupt { limits.isOver() }
        open = (connection, permission, identity)
        if commits != nil { log = ChangedRowLog(of: connection, limit: KnownCommits.mostRows) }
        return (connection, permission)
    }

    private func schema(_ connection: Connection) throws -> StudioSchema {
        let version = try connection.rows("PRAGMA schema_version").first?.first ?? .null
        if let kept, kept.version == version { return kept.schema }
        let schema = try StudioSchema(connection)
        // What was stopped meanwhile looks like a table without columns.
        if limits.reason == nil { kept = (version, schema) }
        return schema
    }
}

extension Connection {
    /// Keeps it from doing what a stranger's file could ask for.
    func harden(trustsSchema: Bool) throws {
        guard studio_harden(UnsafeMutableRawPointer(pointer), trustsSchema ? 1 : 0) == 0 else {
            throw StudioError(.failed, "SQLite is too old to open files of strangers safely")
        }
    }
}

extension Permission {
    /// Begins or ends a transaction, which no statement of a user does.
    func control(_ sql: String, _ connection: Connection) throws {
        allowsTransactions = true
        defer { allowsTransactions = false }
        try connection.run(sql)
    }

    fileprivate func transaction<T>(_ connection: Connection, _ body: () throws -> T) throws -> T {
        try control("BEGIN", connection)
        defer { if !connection.isAutocommit { try? control("ROLLBACK", connection) } }
        return try body()
    }
}
