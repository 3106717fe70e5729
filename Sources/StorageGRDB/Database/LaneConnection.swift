import GRDB
import GRDBSQLite

/// A connection that GRDB opened, and statements on it that GRDB does not know.
final class LaneConnection {
    let queue: DatabaseQueue
    /// Nil once it is closed.
    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    /// The statement that was used last, which is likely the next one too.
    private var last: (sql: String, statement: OpaquePointer?) = ("", nil)
    private let stepLimit = StepLimit()

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

    /// Runs a body to which the database does not change.
    ///
    /// - Parameter begin: Called when an interruption reaches whatever the body runs, be it between two statements.
    func reading<T>(begin: () throws -> Void = {}, _ body: (Database) throws -> T) throws -> T {
        try queue.unsafeRead { db in try db.inOneState(statement(Self.keeperSQL), begin: begin, body) }
    }

    /// The same, within a ``StepLimit`` and as long as it waits for nobody.
    ///
    /// - Returns: Nil if it was stopped.
    func readingBriefly<T>(_ patience: BusyTimeout, _ body: (Database) throws -> T) throws -> T? {
        guard let handle else { return nil }
        return try queue.unsafeRead { db in
            try stepLimit.run(handle) {
                try db.withoutWaitingForLocks(patience) {
                    try db.inOneState(statement(Self.keeperSQL), begin: {}, body)
                }
            } ?? nil
        }
    }

    static let keeperSQL = "SELECT 1 UNION ALL SELECT 2 FROM main.sqlite_master"

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
        return try EntityCodec.withWriter(of: statement, coders: coders) { writer in
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

extension Database {
    /// As long as one statement has not ended, SQLite neither lets go of the state that it began with nor forgets an interruption.
    ///
    /// - Parameter keeper: That statement.
    fileprivate func inOneState<T>(
        _ keeper: OpaquePointer?, begin: () throws -> Void, _ body: (Database) throws -> T
    ) throws -> T {
        defer { sqlite3_reset(keeper) }
        guard let keeper, sqlite3_step(keeper) == SQLITE_ROW else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)),
                message: sqlite3_errmsg(sqliteConnection).map { String(cString: $0) })
        }
        try begin()
        return try body(self)
    }
}
