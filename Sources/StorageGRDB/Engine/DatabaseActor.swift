public import GRDB
import Synchronization

/// The door to one database: every read and write of StorageKit goes through it.
///
/// It is a final class and no Swift actor: an actor would put a hop before each call, while SQLite's own
/// connections already serialize what has to be. Reads run beside each other and beside the one writer.
public final class DatabaseActor: Sendable {
    /// Nil in memory, where there is one connection. Declared before the pool, so that they close before it: the last connection to
    /// close checkpoints the log, and has to be one that can write.
    let readers: Readers?
    /// The pool or queue behind the door.
    package let pool: any DatabaseWriter
    /// What changed, and who wants to know.
    package let changes: ChangeHub
    /// What a commit of this writer changes, for the hub.
    let observer: CommitObserver
    let writer: Writer
    /// Whether a query may be stopped and begin again on another thread.
    let mayRestartQueries: Bool
    /// Whether streams look for commits of other processes.
    let watchesOtherProcesses: Bool
    /// Hears of the reads of streams and of commits, if it asks for them.
    let monitor: (any StorageMonitor)?
    /// Live values that have to be read again.
    let rounds = LiveRounds()
    /// Those who read them where that takes longer, as many as connections that read.
    let liveWorkers: LiveWorkers
    /// What the layers above keep of this database, by type.
    let parts = TypeMemo()
    private let briefCalls = Atomic<Int>(0)
    private let guests = Mutex<[Guest]>([])
    private let isClosed = Atomic<Bool>(false)
    private let closing = Mutex(())

    /// - Parameters:
    ///   - mayRestartQueries: Whether a query may be stopped and begin again on another thread.
    ///   - monitor: Hears of the reads of streams and of commits, if it asks for them.
    ///   - repair: Repairs what a transaction leaves behind that SQLite rolled back by itself. Called before the next write.
    init(
        _ pool: some DatabaseWriter, watchesOtherProcesses: Bool, mayRestartQueries: Bool,
        monitor: (any StorageMonitor)?, repair: @escaping @Sendable (Database) throws -> Void
    ) {
        self.pool = pool
        self.watchesOtherProcesses = watchesOtherProcesses
        self.mayRestartQueries = mayRestartQueries
        liveWorkers = LiveWorkers(count: pool.configuration.maximumReaderCount)
        readers = (pool as? DatabasePool).map { Readers(path: $0.path, configuration: $0.configuration) }
        changes = ChangeHub.of(pool)
        self.monitor = monitor
        observer = CommitObserver(hub: changes, monitor: monitor)
        observer.attach(to: pool)
        writer = Writer(pool, observer, repair: repair)
    }

    // MARK: - Reading

    /// Reads with a connection that sees one state of the database from beginning to end.
    ///
    /// - Parameter body: What to read. An error it throws passes through unchanged.
    /// - Returns: What the closure returns.
    /// - Throws: The closure's error, or GRDB's `DatabaseError` if no connection could be had; `CancellationError` if the task was
    ///   cancelled.
    public func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do {
            return try await openPool.read(body)
        } catch {
            throw orClosed(error).orCancellation
        }
    }

    /// In our words, what GRDB says of a store that was closed while a connection was waited for; any other error as
    /// it is.
    func orClosed(_ error: any Error) -> any Error {
        let isMisuse = (error as? DatabaseError)?.resultCode == .SQLITE_MISUSE
        return isMisuse && !isOpen ? DatabaseError.storeIsClosed : error
    }

    /// Reads for StorageKit itself, at a fraction of what ``read(_:)`` costs: on the calling thread if that takes few steps, else
    /// on a thread of the connection's own. What GRDB knows of the schema may be out of date here.
    ///
    /// - Parameters:
    ///   - mayBeBrief: Whether to try it on the calling thread first. Not for what the step limit does not stop, such as a search.
    ///   - body: What to read. On the calling thread its statements see one state only where it asks for that by
    ///     ``GRDB/Database/inOneState(_:)``.
    func readRows<T: Sendable>(
        mayBeBrief: Bool = true, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        if mayBeBrief, mayRestartQueries {
            if hasTurnEnded() { await Task.yield() }
            if let result = try readBriefly(body) { return result }
        }
        if let result = try await readers?.read(body) { return result }
        return try await read(body)
    }

    /// Counts a brief read or write, which does not suspend, and says whether the task is to yield before it: one that does nothing else lets
    /// others have its thread now and then.
    func hasTurnEnded() -> Bool { briefCalls.add(1, ordering: .relaxed).oldValue.isMultiple(of: 256) }

    /// The short form: reads on the calling thread.
    ///
    /// - Returns: Nil if that takes too many steps, the task is cancelled, or no connection is free.
    func readBriefly<T>(_ body: (Database) throws -> T) throws -> T? {
        Task.isCancelled ? nil : try readers?.readBriefly(body)
    }

    // MARK: - Writing

    /// Writes in one transaction, which is rolled back if the closure throws.
    ///
    /// - Parameter body: What to write. An error it throws passes through unchanged.
    /// - Returns: What the closure returns.
    /// - Throws: The closure's error, or GRDB's `DatabaseError` if the transaction could not begin or commit; `CancellationError` if the
    ///   task was cancelled.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do {
            return try await withWriter { [writer, observer] db in
                observer.prepareForTransaction()
                return try db.inGuardedTransaction {
                    try writer.noticingRollback(db) {
                        try db.readSchema()
                        return try body(db)
                    }
                }
            }
        } catch {
            throw error.orCancellation
        }
    }

    /// Writes rows for StorageKit itself in one transaction, which leaves the schema alone.
    func writeRows<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await withWriter { [writer, observer] db in
            try observer.withoutSchemaChanges {
                try db.atomically { try writer.noticingRollback(db) { try body(db) } }
            }
        }
    }

    /// Lends the connection that writes, behind the writes before, in no transaction.
    func withWriter<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await writer.withConnection(body)
    }

    /// The short form: a brief write on the calling thread if the writer is idle, else behind the writes before it.
    func writeBriefly(_ write: Writer.BriefWrite) async throws {
        if try !writeAtOnce(write.body) { try await writer.queue(write) }
    }

    /// Runs a brief write on the calling thread, if the writer is idle. Live values that it changes are read when it is done, on
    /// the same thread.
    ///
    /// - Returns: Whether it was; otherwise nothing was done, and the write is for ``Writer/queue(_:)``.
    func writeAtOnce(_ body: (Database) throws -> Void) throws -> Bool {
        _ = try openPool
        // In memory, reads have the one connection too, for as long as they like.
        guard readers != nil else { return false }
        // Until the connection is had it may take long.
        var isWriting = false
        defer { if isWriting { rounds.endWrite() } }
        return try writer.writeAtOnce { db in
            if !isWriting { rounds.beginWrite() }
            isWriting = true
            try body(db)
        }
    }

    // MARK: - Closing

    private struct Guest {
        weak var connection: (any GuestConnection)?
    }

    /// Has a connection closed with the others.
    ///
    /// - Throws: `DatabaseError` if the store is closed already.
    func closeAtEnd(_ connection: any GuestConnection) throws {
        try guests.withLock { guests in
            _ = try openPool
            guests.removeAll { $0.connection == nil }
            guests.append(Guest(connection: connection))
        }
    }

    /// Closes all connections that read and write. Calls made afterwards throw.
    ///
    /// All commits are in the file itself then, unless others read it at this moment. The files of its log go when the last who
    /// has it open is gone: a connection that looks for commits of others stays for as long as there is a `DatabaseActor`.
    ///
    /// A queue, which a store in memory has, stays open until nobody has it: GRDB traps where a closed one is read.
    ///
    /// - Throws: `DatabaseError` if a connection is still in use; or, with all of them closed, if a full or failing disk, or damage, may
    ///   have kept commits from getting into the file.
    package func close() throws {
        isClosed.store(true, ordering: .relaxed)
        // One after the other: GRDB's pool is closed by one thread at a time, and the last connection to close is to be one that can write.
        try closing.withLock { _ in try closeConnections() }
    }

    private func closeConnections() throws {
        writer.close()
        try readers?.close()
        for guest in guests.withLock(\.self) { guest.connection?.closeWithStore() }
        guard let pool = pool as? DatabasePool else {
            // It stays open; this waits for what runs on it.
            return self.pool.unsafeReentrantWrite { _ in }
        }
        // Without waiting for readers: who has a snapshot keeps the rest of the log where it is.
        let checkpoint = Result<Void, any Error> {
            try pool.writeWithoutTransaction { db in
                // SQLite traps where a connection is asked that is closed already. One that only reads has no commits.
                if db.sqliteConnection != nil, !db.configuration.readonly { try db.checkpoint(.passive) }
            }
        }
        try pool.close()
        if case .failure(let error as DatabaseError) = checkpoint, error.keepsCommitsInLog {
            throw DatabaseError(
                resultCode: error.extendedResultCode,
                message: "commits may be in the log beside the file alone: \(error.message ?? "")")
        }
    }

    /// The pool or queue, if calls may still be made.
    var openPool: any DatabaseWriter {
        get throws {
            guard isOpen else { throw DatabaseError.storeIsClosed }
            return pool
        }
    }

    /// Whether calls may still be made.
    var isOpen: Bool { !isClosed.load(ordering: .relaxed) }
}

extension DatabaseError {
    /// Whether a checkpoint failed for a reason that stays. The lock of another connection passes by itself.
    fileprivate var keepsCommitsInLog: Bool { isOfTheDisk || isDamage || resultCode == .SQLITE_READONLY }
}

/// What has a connection of its own for longer than a call.
protocol GuestConnection: AnyObject, Sendable {
    /// Closes the connection, once what is being read with it is read.
    func closeWithStore()
}
