import GRDB
import GRDBSQLite
import StorageSQLite

// Values in and out of a statement of GRDB's by position, past its own types of arguments and rows.

extension GRDB.Statement {
    var handle: StatementHandle { StatementHandle(sqliteStatement) }

    /// Binds the arguments of a statement that is about to run.
    func bind(_ values: [StoredValue]) throws {
        handle.reset()
        handle.clearBindings()
        for (index, value) in zip(Int32(1)..., values) {
            let code = handle.bind(value, at: index)
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    /// Runs a body that binds rows to the statement. Its parameters are NULL afterwards.
    func binding<T>(coders: JSONCoders, _ body: (inout RowWriter) throws -> T) throws -> T {
        handle.reset()
        // SQLite allocates each text and blob that it copies, under a lock that all connections of the process share: that costs
        // more than all else that binding does.
        return try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
            defer {
                // A statement that failed has not ended yet.
                handle.reset()
                handle.clearBindings()
            }
            var row = RowWriter(statement: handle, coders: coders, room: room)
            return try body(&row)
        }
    }

    /// Runs a statement that changes something, with what is bound to its parameters.
    ///
    /// GRDB checks and observes it as in its own `execute()`, which would first look for arguments of its own types.
    func run() throws {
        handle.reset()
        try StepCursor(self).forEach {}
    }

    /// Runs a SELECT and hands over its first row, if it has any; the body goes on from there, as far as it likes. GRDB takes the first
    /// step, which is where it checks and observes; the others go past it.
    func withRows(coders: JSONCoders, _ body: (inout RowReader) throws -> Void) throws {
        defer { handle.reset() }
        guard try takeFirstStep() else { return }
        var row = RowReader(statement: handle, coders: coders)
        try body(&row)
        guard [SQLITE_DONE, SQLITE_ROW].contains(row.lastStep) else { throw error(row.lastStep) }
    }

    /// Has GRDB take the first step of a SELECT, and says whether it has a row.
    func takeFirstStep() throws -> Bool { try StepCursor(self).next() != nil }

    /// Goes to the next row of a SELECT, and says whether there is one.
    func advance(_ row: inout RowReader) throws -> Bool {
        if row.advance() { return true }
        guard row.lastStep == SQLITE_DONE else { throw error(row.lastStep) }
        return false
    }

    /// Runs a SELECT and hands over each row.
    func forEachRow(coders: JSONCoders, _ body: (inout RowReader) throws -> Void) throws {
        try withRows(coders: coders) { try $0.forEach(body) }
    }

    /// The first row of a SELECT, stepped to past GRDB: there is nothing in it to observe or to interrupt.
    func firstRow<T>(coders: JSONCoders, _ read: (inout RowReader) throws -> T) throws -> T? {
        handle.reset()
        defer { handle.reset() }
        switch handle.stepping() {
        case SQLITE_ROW:
            var row = RowReader(statement: handle, coders: coders)
            return try read(&row)
        case SQLITE_DONE: return nil
        case let code: throw error(code)
        }
    }

    /// What SQLite says of a call that failed.
    func error(_ code: Int32) -> DatabaseError {
        DatabaseError(handle.failure(code))
    }
}

extension Database {
    /// Runs a statement that stays prepared and reads its first row.
    @discardableResult
    func firstRow<T>(
        _ sql: String, _ arguments: [StoredValue], coders: JSONCoders = .standard,
        _ read: (inout RowReader) throws -> T
    ) throws -> T? {
        let statement = try cachedStatement(sql: sql)
        if !arguments.isEmpty { try statement.bind(arguments) }
        return try statement.firstRow(coders: coders, read)
    }

    /// Has SQLite read the schema, if others have changed it. A DELETE that does so by itself fails (`no such table`, 3.40) where its
    /// table has a full-text index, and references from it or to it.
    func readSchema() throws {
        try firstRow(Self.readSchemaSQL, []) { _ in }
    }

    /// The statement of ``readSchema()``.
    static let readSchemaSQL = "SELECT 1 FROM main.sqlite_master LIMIT 1"

    /// Runs a statement that stays prepared, changes rows and returns none.
    func run(_ sql: String, _ arguments: [StoredValue]) throws {
        let statement = try cachedStatement(sql: sql)
        try statement.bind(arguments)
        try statement.run()
    }

    /// The same with arguments that are written as columns are.
    func run(_ sql: String, coders: JSONCoders = .standard, bind: (inout RowWriter) throws -> Void) throws {
        let statement = try cachedStatement(sql: sql)
        try statement.binding(coders: coders) { row in
            try bind(&row)
            try row.checkBindings()
            try statement.run()
        }
    }
}

/// Takes the steps of a statement, as any cursor of GRDB's does.
private final class StepCursor: DatabaseCursor {
    typealias Element = Void

    var _isDone = false
    let _statement: GRDB.Statement

    init(_ statement: GRDB.Statement) {
        _statement = statement
    }

    func _element(sqliteStatement: SQLiteStatement) {}
}
