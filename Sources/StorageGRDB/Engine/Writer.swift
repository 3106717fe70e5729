import GRDB
import StorageSQLite
import Synchronization

/// GRDB's writing connection, and the queue in front of it.
///
/// Whoever finds the connection free has it at once; everybody else waits in the order of coming, and blocks no thread.
/// Brief writes that wait one behind the other become one transaction, each undone alone if it fails: they share the commit, which
/// costs most of a write. docs/Engine.md has the states as a table.
///
/// An app may use GRDB's connection past this queue. GRDB then orders the two.
final class Writer: Sendable {
    /// A write of StorageKit's own, of a statement or a few, that leaves the schema alone.
    struct BriefWrite: Sendable {
        /// Runs in a transaction or in none, and leaves nothing of what it did if it throws: it is one statement, or asks for
        /// ``GRDB/Database/atomically(_:)``. It may run a second time, if the first was undone because of another write.
        let body: @Sendable (Database) throws -> Void
        /// Called when what the body wrote is undone because of another write.
        var ifUndone: @Sendable () -> Void = {}
    }

    /// So many writes share a commit at the most, so that the first does not wait long for the last.
    static let largestGroup = 128

    let connection: any DatabaseWriter
    private let observer: CommitObserver
    private let busyTimeout: BusyTimeout?
    private let state = Mutex(State())
    /// Where those who waited go on.
    private let waiters = TurnExecutor()
    /// Repairs what a transaction leaves behind that SQLite rolled back by itself.
    private let repair: @Sendable (Database) throws -> Void
    /// Whether that is due.
    private let needsRepair = Atomic<Bool>(false)

    private struct State {
        /// Whether somebody has the connection: a caller, or a group.
        var isTaken = false
        var isClosed = false
        /// Those who wait for it, and some who were cancelled.
        var line = Line<WriteWaiter>()

        /// Gives the connection to whoever is next. Who was cancelled gets no turn: it would cost those behind a transaction, and a wait
        /// for other processes.
        mutating func next() -> Next? {
            var group: [WriteWaiter] = []
            while group.count < Writer.largestGroup, let first = line.first {
                // A group ends before one who wants the connection alone.
                if first.write == nil, !first.isCancelled, !group.isEmpty { break }
                line.removeFirst()
                if first.write != nil {
                    if !first.isCancelled { group.append(first) }
                } else if first.begin() {
                    return .caller(first)
                }
            }
            if !group.isEmpty { return .group(group) }
            isTaken = false
            return nil
        }
    }

    private enum Next {
        case caller(WriteWaiter)
        case group([WriteWaiter])
    }

    init(
        _ connection: any DatabaseWriter, _ observer: CommitObserver,
        repair: @escaping @Sendable (Database) throws -> Void
    ) {
        self.connection = connection
        self.observer = observer
        self.repair = repair
        busyTimeout = connection.unsafeReentrantWrite { try? $0.busyTimeout() }
    }

    // MARK: - Writing

    /// Lends the connection for as long as the caller likes, in no transaction, behind the writes before.
    func withConnection<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        if take() { return try await withTurn(body) }
        return try await withTaskExecutorPreference(waiters) {
            try await wait(nil)
            return try await withTurn(body)
        }
    }

    /// Runs a body of one who has been given the connection.
    private func withTurn<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        let hasEnded = Atomic(false)
        let end = { @Sendable [self] in
            if !hasEnded.exchange(true, ordering: .relaxed) { endTurn() }
        }
        // If the body does not run.
        defer { end() }
        return try await connection.writeWithoutTransaction { db in
            // Here, and not when the task goes on, which may have to wait for a thread.
            defer { end() }
            guard db.sqliteConnection != nil else { throw DatabaseError.storeIsClosed }
            try repairIfNeeded(db)
            return try body(db)
        }
    }

    /// Runs a brief write on the calling thread, if the connection is free and no other process has locked the file.
    ///
    /// - Returns: Whether it ran; otherwise nothing was done, and it is for ``queue(_:)``.
    func writeAtOnce(_ body: (Database) throws -> Void) throws -> Bool {
        guard !observer.isTransactionOpen, take() else { return false }
        defer { endTurn() }
        let done: Void? = try connection.writeWithoutTransaction { db in
            try db.withoutWaitingForLocks(busyTimeout) { try writeAlone(db, body) }
        }
        return done != nil
    }

    /// Runs a brief write behind the writes before it, together with others that wait. Once it has begun, nothing cancels it.
    func queue(_ write: BriefWrite) async throws {
        try await wait(write)
    }

    /// Whoever waits is told that the store is closed.
    func close() {
        let waiting = state.withLock { state in
            defer { state.line = Line() }
            state.isClosed = true
            return state.line.all
        }
        for waiter in waiting { waiter.end(.failure(DatabaseError.storeIsClosed)) }
    }

    /// How many wait for the connection.
    var waitingCount: Int { state.withLock { $0.line.all.count { !$0.isCancelled } } }

    /// Whether nobody has the connection or waits for it.
    var isIdle: Bool { state.withLock { !$0.isTaken && $0.line.isEmpty } }

    // MARK: - Turns

    private func take() -> Bool {
        state.withLock { state in
            guard !state.isTaken, !state.isClosed else { return false }
            state.isTaken = true
            return true
        }
    }

    /// Waits for the connection, or for the end of a brief write.
    private func wait(_ write: BriefWrite?) async throws {
        let waiter = WriteWaiter(write)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if waiter.wait(continuation) { enqueue(waiter) }
            }
        } onCancel: {
            waiter.cancel()
        }
    }

    private func enqueue(_ waiter: WriteWaiter) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.line.append(waiter) }
            return state.isClosed
        }
        if isClosed { return waiter.end(.failure(DatabaseError.storeIsClosed)) }
        if take() { endTurn() }
    }

    private func endTurn() {
        switch state.withLock({ $0.next() }) {
        case nil: break
        case .caller(let waiter): waiter.end(.success(()))
        case .group(let group):
            // In nobody's task: that one caller is cancelled interrupts none of the others.
            connection.asyncWriteWithoutTransaction { [self] db in
                run(group, db)
                endTurn()
            }
        }
    }
}

// MARK: - Running

extension Writer {
    /// Runs a body. After some errors (a full disk, `RAISE(ROLLBACK)`) SQLite has rolled the transaction back by itself, and full-text
    /// counts are wrong: they are repaired at once or, if that fails, before the next write.
    func noticingRollback<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            // These come before a transaction has begun, which has lost nothing then.
            let code = (error as? DatabaseError)?.resultCode
            if !db.isInsideTransaction, code != .SQLITE_BUSY, code != .SQLITE_READONLY {
                needsRepair.store(true, ordering: .relaxed)
                try? repairIfNeeded(db)
            }
            throw error
        }
    }

    private func repairIfNeeded(_ db: Database) throws {
        guard needsRepair.load(ordering: .relaxed) else { return }
        try repair(db)
        needsRepair.store(false, ordering: .relaxed)
    }

    private func writeAlone(_ db: Database, _ body: (Database) throws -> Void) throws {
        func write() throws {
            try repairIfNeeded(db)
            try observer.withoutSchemaChanges { try noticingRollback(db) { try body(db) } }
        }
        do {
            try write()
        } catch is LostTransaction {
            try write()
        }
    }

    /// Runs writes that came together as one transaction. Nobody hears of it before that is committed.
    private func run(_ group: [WriteWaiter], _ db: Database) {
        if group.allSatisfy(\.isCancelled) { return }
        var begun: [Member] = []
        var results: [Result<Void, any Error>] = []
        do {
            guard db.sqliteConnection != nil else { throw DatabaseError.storeIsClosed }
            try repairIfNeeded(db)
            try observer.withoutSchemaChanges {
                try db.atomically {
                    // Until now, while another process may have had the lock, they could be cancelled.
                    begun = group.compactMap { waiter in
                        waiter.write.flatMap { waiter.begin() ? Member(waiter: waiter, write: $0) : nil }
                    }
                    try noticingRollback(db) { try run(begun, into: &results, db) }
                }
            }
        } catch  where begun.isEmpty {
            // It could not begin.
            for waiter in group { waiter.end(.failure(error)) }
        } catch {
            results = resultsAfter(error, begun, results, db)
        }
        for (member, result) in zip(begun, results) { member.waiter.end(result) }
    }

    private struct Member {
        let waiter: WriteWaiter
        let write: BriefWrite
    }

    /// Runs each, which leaves nothing if it fails.
    private func run(_ members: [Member], into results: inout [Result<Void, any Error>], _ db: Database) throws {
        if members.count == 1 { return results.append(.success(try members[0].write.body(db))) }
        for member in members {
            results.append(Result { try observer.forgettingSavesOnError { try member.write.body(db) } })
            // A statement that broke a key which is checked at the commit has not failed, and is undone with all others.
            guard db.isInsideTransaction, !db.hasBrokenKeys else { throw LostTransaction() }
        }
    }

    /// What comes of each after an error that undid all of them.
    ///
    /// - Parameter results: What had come of the first until then, in a state that never was: it holds of the last alone, if that
    ///   has cost the others the transaction.
    private func resultsAfter(
        _ error: any Error, _ members: [Member], _ results: [Result<Void, any Error>], _ db: Database
    ) -> [Result<Void, any Error>] {
        for member in members { member.write.ifUndone() }
        guard error is LostTransaction else { return members.map { _ in .failure(error) } }
        return members.indices.map { index in
            if index == results.count - 1, case .failure(let error) = results[index], !(error is LostTransaction) {
                return .failure(error)
            }
            // Each of the others gets a transaction of its own.
            return Result { try writeAlone(db, members[index].write.body) }
        }
    }
}

/// A write, or a group, has to begin again: SQLite has rolled it back in the middle, or one of the group cannot be undone alone.
struct LostTransaction: LocalizedError {
    var errorDescription: String? { "SQLite rolled the transaction back" }
}
