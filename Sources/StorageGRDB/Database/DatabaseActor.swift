public import GRDB
import Synchronization

/// The door to one database: every read and write of StorageKit goes through it.
///
/// It is a final class and no Swift actor: an actor would put a hop before each call, while SQLite's own
/// connections already serialize what has to be. Reads run beside each other and beside the one writer.
public final class DatabaseActor: Sendable {
    /// The pool or queue behind the door.
    package let writer: any DatabaseWriter
    /// What changed, and who wants to know.
    package let changes: ChangeHub
    /// The eyes of the hub on this writer.
    let observer: WriterObserver
    /// Connections for reads of one row on the calling thread; none for a queue, which has only one.
    let lanes: ReadLanes?
    /// Connections for queries.
    private let queryLanes: ReadLanes?
    let briefReads: BriefReads?
    /// Whether streams look for commits of other processes.
    let watchesOtherProcesses: Bool
    let cacheTables = Mutex(CacheTables())
    let gate: WriteGate
    /// Observed rows that have to be read again.
    let rounds = LiveRounds()
    /// Of the writer, for entities that are saved one by one.
    let lastUpsert = LastStatement()
    private let patience = BusyTimeout()
    /// Whether FTS5 may keep wrong counts in memory. On a disk that goes on failing it cannot be told to forget them. Set and
    /// read by the thread that has the writer.
    let hasWrongCounts = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)

    /// Wraps a pool or a queue.
    ///
    /// Use one `DatabaseActor` for each pool. `StorageKit.start` makes it for you; this initialiser is for
    /// databases in memory and for pools that an app opened itself.
    ///
    /// - Parameters:
    ///   - pool: A GRDB `DatabasePool` or `DatabaseQueue`.
    ///   - watchesOtherProcesses: Whether streams notice commits of other processes by themselves, while there are any.
    public convenience init(pool: some DatabaseWriter, watchesOtherProcesses: Bool = true) {
        self.init(pool, watchesOtherProcesses: watchesOtherProcesses, mayRestartQueries: true)
    }

    /// - Parameter mayRestartQueries: Whether a query may be stopped and begin again on another thread.
    package init(_ pool: some DatabaseWriter, watchesOtherProcesses: Bool, mayRestartQueries: Bool) {
        writer = pool
        self.watchesOtherProcesses = watchesOtherProcesses
        let makeLanes = { (pool: DatabasePool) in ReadLanes(path: pool.path, configuration: pool.configuration) }
        lanes = (pool as? DatabasePool).map(makeLanes)
        queryLanes = (pool as? DatabasePool).map(makeLanes)
        briefReads = mayRestartQueries && queryLanes != nil ? BriefReads() : nil
        gate = WriteGate()
        changes = ChangeHub.of(pool)
        observer = WriterObserver(hub: changes)
        observer.attach(to: pool)
    }

    /// Reads with a connection that sees one state of the database from beginning to end.
    ///
    /// - Parameter body: What to read. An error it throws passes through unchanged.
    /// - Returns: What the closure returns.
    /// - Throws: The closure's error, or GRDB's `DatabaseError` if no connection could be had.
    public func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await openWriter.read(body)
    }

    /// Reads one state of the database, as ``read(_:)`` does, at a fraction of what that costs. For statements of StorageKit's own:
    /// what GRDB knows of the schema may be out of date here.
    func readOnLane<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        if let queryLanes, let result = try await queryLanes.read(body) { return result }
        return try await openWriter.read(body)
    }

    /// Runs a query: on the calling thread, if it took but a moment the last time, else like ``readOnLane(_:)``.
    ///
    /// - Parameter body: Runs the query, and once more from the beginning if it takes long this time.
    func read<T: Sendable>(
        _ query: LoweredQuery, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        // FTS5 may search for long without a step of SQLite's machine, so that nothing would stop it.
        guard let briefReads, query.searches.isEmpty else { return try await readOnLane(body) }
        if !Task.isCancelled, briefReads.take(query.sql), let result = try queryLanes?.readBriefly(body) {
            return result
        }
        let (result, duration) = try await readOnLane { db in
            let start = ContinuousClock.now
            return (try body(db), ContinuousClock.now - start)
        }
        briefReads.took(duration, query.sql)
        return result
    }

    /// Writes in one transaction, which is rolled back if the closure throws.
    ///
    /// - Parameter body: What to write. An error it throws passes through unchanged.
    /// - Returns: What the closure returns.
    /// - Throws: The closure's error, or GRDB's `DatabaseError` if the transaction could not begin or commit.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await gate.passing {
            try await onWriter { [self] db in
                try db.inGuardedTransaction { try keepingIndexes(of: db, body) }
            }
        }
    }

    /// Writes rows in one transaction, which leaves the schema alone.
    func writeRows<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await gate.passing {
            try await onWriter { [self] db in
                try observer.rowsOnly {
                    try db.inImmediateTransaction { try keepingIndexes(of: db, body) }
                }
            }
        }
    }

    /// Lends the connection that writes, behind the writes before, in no transaction.
    func onWriter<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await openWriter.writeWithoutTransaction { [self] db in
            try mendIndexes(of: db)
            return try body(db)
        }
    }

    /// Closes all connections that read and write. Calls made afterwards throw.
    ///
    /// All commits are in the file itself then, unless others read it at this moment. The files of its log go when the last who
    /// has it open is gone: a connection that looks for commits of others stays for as long as there is a `DatabaseActor`.
    ///
    /// A queue, which a store in memory has, stays open until nobody has it: GRDB traps where a closed one is read.
    ///
    /// - Throws: `DatabaseError` if a connection is still in use.
    package func close() throws {
        isClosed.store(true, ordering: .relaxed)
        try lanes?.close()
        try queryLanes?.close()
        guard let pool = writer as? DatabasePool else { return }
        // Without waiting for readers: who has a snapshot keeps the rest of the log where it is.
        try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
        try pool.close()
    }

    /// The pool or queue, if calls may still be made.
    var openWriter: any DatabaseWriter {
        get throws {
            guard !isClosed.load(ordering: .relaxed) else { throw DatabaseError.storeIsClosed }
            return writer
        }
    }
}

extension DatabaseError {
    static var storeIsClosed: DatabaseError {
        DatabaseError(resultCode: .SQLITE_MISUSE, message: "the store is closed")
    }
}

// MARK: - Short work on the calling thread

extension DatabaseActor {
    /// Reads a single row by its key: on the calling thread while a connection is free, which saves the two
    /// thread hops that cost twenty times the read itself; else like ``readOnLane(_:)``.
    func readRow<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        if let lanes, let result = try lanes.tryRead(body) {
            return result
        }
        return try await readOnLane(body)
    }

    /// Runs one writing statement in its own transaction: on the calling thread while the writer is idle, else
    /// queued behind the writes before it.
    func writeRow(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
        if try !writeRowAtOnce(body) { try await queueRow(body) }
    }

    /// Runs one writing statement in its own transaction on the calling thread, if the writer is idle. Observed rows that it
    /// changes are read when it is done, on the same thread.
    ///
    /// - Returns: Whether it was; otherwise nothing was done, and the write is for ``queueRow(_:)``.
    func writeRowAtOnce(_ body: (Database) throws -> Void) throws -> Bool {
        guard !observer.isTransactionOpen else { return false }
        let done: Void? = try rounds.following { try gate.tryPassing { try writeNow(body) } }
        return done != nil
    }

    /// Runs one writing statement in its own transaction, behind the writes before it.
    func queueRow(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
        try await gate.queueing {
            try await onWriter { [self] db in try keepingIndexes(of: db, body) }
        }
    }

    private func writeNow(_ body: (Database) throws -> Void) throws -> Void? {
        try openWriter.writeWithoutTransaction { db in
            try db.withoutWaitingForLocks(patience) {
                try mendIndexes(of: db)
                return try keepingIndexes(of: db, body)
            }
        }
    }
}
