import GRDB
import GRDBSQLite
import Synchronization

/// Read-only connections beside GRDB's pool, whose readers are handed out through queues and cost 0.1 ms of CPU time for each
/// read. A lane is taken with one atomic exchange, and opens when it is first needed.
///
/// A row is read on the calling thread: a single statement, which is its own snapshot and stays prepared. Reads that may take
/// longer have lanes of their own, and a thread for each (see ``read(_:)``).
package final class ReadLanes: Sendable {
    private let path: String
    private let configuration: Configuration
    private let lanes: [Lane]

    private let isClosed = Atomic<Bool>(false)
    private let patience = BusyTimeout()

    /// - Parameter configuration: The pool's, so that collations, functions and keys are the same.
    package init(path: String, configuration: Configuration) {
        var readonly = configuration
        readonly.readonly = true
        // As for a pool's readers: whoever suspends a database means its writes, and a log that is recovered is waited for.
        readonly.observesSuspensionNotifications = false
        if case .immediateError = readonly.busyMode { readonly.busyMode = .timeout(10) }
        #if os(iOS)
        // It would free a connection's memory at any time, from another thread than the one that reads.
        readonly.automaticMemoryManagement = false
        #endif
        self.path = path
        self.configuration = readonly
        // As many as threads that can run at a time.
        lanes = (0..<max(2, ProcessInfo.processInfo.activeProcessorCount)).map { _ in Lane() }
    }

    /// Runs `body` on a free lane, or returns nil if all are taken.
    func tryRead<T>(_ body: (Database) throws -> T) throws -> T? {
        try tryTaking { try $0.queue.unsafeRead(body) }
    }

    /// Reads the first row of a short SELECT past GRDB, which costs a third of what it costs through it.
    ///
    /// What is read goes through the closure, and not through results, so that all below it is the same for all types: generic
    /// code that does not know its types spends more time on them than on the row.
    ///
    /// - Parameter read: Reads the row, if there is one.
    /// - Returns: Whether there was a row or none. If not, all lanes are taken, or something went wrong: whoever reads the
    ///   usual way then gets the row or the error.
    func firstRow(
        _ sql: String, _ argument: StoredValue, coders: JSONCoders, _ read: (inout RowReader) throws -> Void
    ) -> Bool {
        (try? tryTaking { try $0.firstRow(sql, argument, coders, read) }) ?? false
    }

    /// Reads the row with an id, as ``firstRow(_:_:coders:_:)`` does.
    func row<R>(_ table: RecordTable<R>, id: StoredValue, _ read: (inout RowReader) throws -> Void) -> Bool {
        table.sql.findsByOneId && firstRow(table.sql.selectByIdSQL, id, coders: table.coders, read)
    }

    private func tryTaking<T>(_ body: (LaneConnection) throws -> T) throws -> T? {
        guard let lane = takeLane() else { return nil }
        defer { lane.leave() }
        return try body(lane.connection(path: path, configuration: configuration))
    }

    /// - Returns: Nil if all are taken, or the lanes are closed.
    private func takeLane() -> Lane? {
        guard !isClosed.load(ordering: .relaxed) else { return nil }
        return lanes.first { $0.take() }
    }

    /// Reads one state of the database on a free lane, by the thread that the lane has, or returns nil if all are taken or none
    /// can be opened.
    ///
    /// - Parameter body: What to read, as part of the task that waits for it. Its statements are interrupted if that is cancelled.
    /// - Throws: What the body throws, or `CancellationError`.
    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T? {
        guard let lane = takeLane() else { return nil }
        let reading = LaneReading()
        return try await withTaskCancellationHandler {
            try await lane.thread.run {
                defer { lane.leave() }
                let connection = try? lane.connection(path: path, configuration: configuration)
                return try connection.map { try reading.run(on: $0, body) }
            }
        } onCancel: {
            reading.cancel()
        }
    }

    /// Reads one state of the database on a free lane, by the calling thread, as long as that takes few steps.
    ///
    /// - Returns: Nil if no lane is to be had, or if it takes more.
    func readBriefly<T>(_ body: (Database) throws -> T) throws -> T? {
        guard let lane = takeLane() else { return nil }
        defer { lane.leave() }
        guard let connection = try? lane.connection(path: path, configuration: configuration) else { return nil }
        return try connection.readingBriefly(patience, body)
    }

    /// Waits for what is being read. Whatever comes then finds no lane.
    func close() throws {
        isClosed.store(true, ordering: .relaxed)
        for lane in lanes {
            while !lane.take() { Thread.sleep(forTimeInterval: 0.0005) }
            defer { lane.leave() }
            try lane.close()
        }
    }
}

/// Whoever takes the lane has its connection alone.
private final class Lane: Sendable {
    private let isTaken = Atomic<Bool>(false)
    private nonisolated(unsafe) var opened: LaneConnection?
    private nonisolated(unsafe) var isClosed = false
    /// For reads that the calling thread does not wait for.
    let thread = LaneThread()

    func take() -> Bool {
        isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    func leave() {
        isTaken.store(false, ordering: .releasing)
    }

    func connection(path: String, configuration: Configuration) throws -> LaneConnection {
        guard !isClosed else { throw DatabaseError.storeIsClosed }
        if let opened { return opened }
        let connection = LaneConnection(try DatabaseQueue(path: path, configuration: configuration))
        opened = connection
        return connection
    }

    func close() throws {
        isClosed = true
        try opened?.close()
    }
}
