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
    /// - Parameter read: Reads the row.
    /// - Returns: Nil if all lanes are taken, or if there is anything but a row or none. Whoever reads the usual way then
    ///   gets the row or the error.
    func firstRow<T>(
        _ sql: String, _ argument: StoredValue, coders: JSONCoders, _ read: (inout RowReader) throws -> T
    ) -> LaneRow<T>? {
        (try? tryTaking { try $0.firstRow(sql, argument, coders, read) }) ?? nil
    }

    /// The entity with an id, read as ``firstRow(_:_:coders:_:)`` does.
    func entity<R: StorageKitEntityRecord>(_ table: RecordTable<R>, id: StoredValue) -> LaneRow<R.E>? {
        guard table.sql.findsByOneId else { return nil }
        return firstRow(table.sql.selectByIdSQL, id, coders: table.coders) { try R._decode(&$0) }
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

/// What a lane read.
enum LaneRow<Value> {
    case found(Value)
    case none

    var value: Value? {
        if case .found(let value) = self { value } else { nil }
    }
}

/// Whoever takes the lane has its connection alone.
private final class Lane: Sendable {
    private let isTaken = Atomic<Bool>(false)
    private nonisolated(unsafe) var opened: LaneConnection?

    func take() -> Bool {
        isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    func leave() {
        isTaken.store(false, ordering: .releasing)
    }

    func connection(path: String, configuration: Configuration) throws -> LaneConnection {
        if let opened { return opened }
        let connection = LaneConnection(try DatabaseQueue(path: path, configuration: configuration))
        opened = connection
        return connection
    }

    func close() throws {
        try opened?.close()
    }
}

/// A connection that GRDB opened, and statements on it that GRDB does not know.
private final class LaneConnection {
    let queue: DatabaseQueue
    /// Nil once it is closed.
    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

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
    }

    /// - Returns: Nil for anything but a row or none.
    func firstRow<T>(
        _ sql: String, _ argument: StoredValue, _ coders: JSONCoders, _ read: (inout RowReader) throws -> T
    ) throws -> LaneRow<T>? {
        guard let statement = statement(sql) else { return nil }
        defer { sqlite3_reset(statement) }
        var writer = RowWriter(statement: statement, coders: coders)
        writer.append(argument)
        try writer.checkBindings()
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
            var row = RowReader(statement: statement, coders: coders)
            return .found(try read(&row))
        case SQLITE_DONE: return LaneRow.none
        default: return nil
        }
    }

    /// A statement that stays prepared. SQLite prepares it anew when the schema changes.
    private func statement(_ sql: String) -> OpaquePointer? {
        guard let handle else { return nil }
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        statements[sql] = statement
        return statement
    }
}
