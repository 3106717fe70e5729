import GRDB
import StorageSQLite
import Synchronization

/// One connection that only reads. It opens when it is first used, and is used by whoever has taken it.
final class Reader: Sendable {
    private let isTaken = Atomic<Bool>(false)
    private let state = Mutex(State.unopened)

    private enum State {
        case unopened
        case open(Opened)
        /// Nobody gets it any more, but it is not closed yet, or could not be.
        case closing(Opened)
        case closed
    }

    /// Takes the connection, unless somebody has it.
    func take() -> Bool {
        isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    func leave() {
        isTaken.store(false, ordering: .releasing)
    }

    /// - Returns: Nil once somebody has begun to close it.
    func connection(_ path: String, _ configuration: Configuration) throws -> Opened? {
        try state.withLock { state in
            switch state {
            case .closing, .closed: return nil
            case .open(let opened): return opened
            case .unopened:
                let opened = try Opened(DatabaseQueue(path: path, configuration: configuration))
                state = .open(opened)
                return opened
            }
        }
    }

    /// Waits for what is being read, and closes the connection. One that could not be closed is closed by the next call.
    func close() throws {
        let opened: Opened? = state.withLock { state in
            switch state {
            case .open(let opened), .closing(let opened):
                state = .closing(opened)
                return opened
            case .unopened, .closed:
                state = .closed
                return nil
            }
        }
        guard let opened else { return }
        try opened.queue.close()
        state.withLock { $0 = .closed }
    }

    struct Opened: Sendable {
        let queue: DatabaseQueue
        private let busyTimeout: BusyTimeout?

        fileprivate init(_ queue: DatabaseQueue) throws {
            self.queue = queue
            busyTimeout = try queue.unsafeRead { try $0.busyTimeout() }
        }

        /// Reads on the calling thread.
        ///
        /// - Returns: Nil if that takes too many steps, or has to wait for another connection.
        func readBriefly<T>(_ body: (Database) throws -> T) throws -> T? {
            try queue.unsafeRead { db in
                // Closed after it was taken.
                guard let connection = db.sqliteConnection else { return nil }
                return try StepLimit.run(on: connection) {
                    try db.withoutWaitingForLocks(busyTimeout) { try body(db) }
                } ?? nil
            }
        }

        /// Reads one state of the database on the connection's own queue, as part of the calling task.
        func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
            try await queue.unsafeRead { db in
                guard db.sqliteConnection != nil else { throw DatabaseError.storeIsClosed }
                return try db.inOneState { try body(db) }
            }
        }
    }
}
