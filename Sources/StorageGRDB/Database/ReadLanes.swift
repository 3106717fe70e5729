import GRDB
import GRDBSQLite
import Synchronization

/// Read-only connections beside GRDB's pool, for reads that take microseconds.
///
/// A pool's reader opens a transaction and is handed out through queues; a lane is taken with one atomic
/// exchange, runs a single statement (which is its own snapshot) on the calling thread, and keeps the
/// statement prepared. Lanes open when they are first needed.
package final class ReadLanes: Sendable {
    private let path: String
    private let configuration: Configuration
    private let lanes: [Lane]

    /// - Parameter configuration: The pool's, so that collations, functions and keys are the same.
    package init(path: String, configuration: Configuration) {
        var readonly = configuration
        readonly.readonly = true
        #if os(iOS)
        // It would free a connection's memory at any time, from another thread than the one that reads.
        readonly.automaticMemoryManagement = false
        #endif
        self.path = path
        self.configuration = readonly
        // As many as threads that can run at a time: more would never be used.
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
        for lane in lanes where lane.take() {
            defer { lane.leave() }
            return try body(lane.connection(path: path, configuration: configuration))
        }
        return nil
    }

    func close() throws {
        for lane in lanes {
            guard lane.take() else {
                throw DatabaseError(resultCode: .SQLITE_BUSY, message: "a row is being read")
            }
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

    func take() -> Bool {
        isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    func leave() {
        isTaken.store(false, ordering: .releasing)
    }

    func connection(path: String, configuration: Configuration) throws -> LaneConnection {
        if let opened { return opened }
        guard !isClosed else { throw DatabaseError.storeIsClosed }
        let connection = LaneConnection(try DatabaseQueue(path: path, configuration: configuration))
        opened = connection
        return connection
    }

    func close() throws {
        isClosed = true
        try opened?.close()
    }
}

/// A connection that GRDB opened, and statements on it that GRDB does not know.
private final class LaneConnection {
    let queue: DatabaseQueue
    /// Nil once it is closed.
    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    /// The statement that was used last, which is likely the next one too.
    private var last: (sql: String, statement: OpaquePointer?) = ("", nil)

    init(_ queue: DatabaseQueue) {
        self.queue = queue
        handle = queue.unsafeRead { $0.sqliteConnection }
    }

    deinit {
        finalize()
    }

    func close() throws {
        finalize()
        handle = nil
        try queue.close()
    }

    private func finalize() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        last = ("", nil)
    }

    /// - Returns: Whether there was a row or none.
    func firstRow(
        _ sql: String, _ argument: StoredValue, _ coders: JSONCoders, _ read: (inout RowReader) throws -> Void
    ) throws -> Bool {
        guard let statement = statement(sql) else { return false }
        defer { sqlite3_reset(statement) }
        var writer = RowWriter(statement: statement, coders: coders)
        writer.append(argument)
        try writer.checkBindings()
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
            var row = RowReader(statement: statement, coders: coders)
            try read(&row)
            return true
        case SQLITE_DONE: return true
        default: return false
        }
    }

    /// A statement that stays prepared. SQLite prepares it anew when the schema changes.
    private func statement(_ sql: String) -> OpaquePointer? {
        guard let handle else { return nil }
        if sql == last.sql { return last.statement }
        if statements[sql] == nil {
            var statement: OpaquePointer?
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
            statements[sql] = statement
        }
        guard let statement = statements[sql] else { return nil }
        last = (sql, statement)
        return statement
    }
}
