import Foundation
import GRDBSQLite

/// A statement that SQLite has compiled. Used by one connection, on its queue.
final class CompiledStatement {
    /// The statement's text, for errors.
    let sql: String
    /// Whether the statement begins or ends a transaction or savepoint.
    let controlsTransaction: Bool
    /// Whether it is a pragma. SQLite carries out many of them while it compiles them, so that it is compiled without
    /// effect at first, in earnest by ``compileInEarnest()`` when it is to run, and never kept.
    let isPragma: Bool
    private var pointer: OpaquePointer
    private var names = ColumnNames([])
    private var namesVersion: Int32 = -1

    init(_ pointer: OpaquePointer, sql: String, controlsTransaction: Bool, isPragma: Bool) {
        self.pointer = pointer
        self.sql = sql
        self.controlsTransaction = controlsTransaction
        self.isPragma = isPragma
    }

    deinit {
        sqlite3_finalize(pointer)
    }

    var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    /// Whether the statement changes nothing. SQLite says so of transaction control too.
    var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 && !controlsTransaction }

    /// The names of the columns. SQLite may compile the statement anew, and find others, when it takes the first step.
    var columns: ColumnNames {
        let version = sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0)
        if version != namesVersion {
            namesVersion = version
            names = ColumnNames(
                (0..<sqlite3_column_count(pointer)).map { index in
                    sqlite3_column_name(pointer, index).map { String(cString: $0) } ?? ""
                })
        }
        return names
    }

    /// Takes one step. Returns whether there is a row.
    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Makes the statement ready to run again, and lets its values go.
    func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    /// Compiles a pragma again, which may carry it out.
    func compileInEarnest() throws {
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v2(sqlite3_db_handle(pointer), sqlite3_sql(pointer), -1, &compiled, nil)
        guard code == SQLITE_OK, let compiled else { throw failure() }
        sqlite3_finalize(pointer)
        pointer = compiled
    }

    func row() -> Row {
        Row(names: columns, values: (0..<sqlite3_column_count(pointer)).map(value))
    }

    private func failure() -> any Error {
        let database = sqlite3_db_handle(pointer)
        let code = sqlite3_extended_errcode(database)
        if code == SQLITE_INTERRUPT, Task.isCancelled { return CancellationError() }
        return SQLiteError.sqlite(code: code, message: String(cString: sqlite3_errmsg(database)), sql: sql)
    }
}

// MARK: - Values

extension CompiledStatement {
    /// Binds the values of all parameters.
    func bind(_ values: some Collection<SQLiteValue>) throws {
        guard values.count == parameterCount else {
            throw SQLiteError.bindingCount(expected: parameterCount, given: values.count, sql: sql)
        }
        for (index, value) in zip(Int32(1)..., values) {
            if case .real(let number) = value, number.isNaN {
                throw SQLiteError.notANumber(parameter: Int(index), sql: sql)
            }
            guard bind(value, at: index) == SQLITE_OK else { throw failure() }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(pointer, index)
        case .integer(let number): return sqlite3_bind_int64(pointer, index, number)
        case .real(let number): return sqlite3_bind_double(pointer, index, number)
        case .text(let text):
            // Of the bytes, the closing NUL is not bound.
            return text.utf8CString.withUnsafeBufferPointer { bytes in
                sqlite3_bind_text64(
                    pointer, index, bytes.baseAddress, UInt64(bytes.count - 1), copiedAtOnce, UInt8(SQLITE_UTF8))
            }
        case .blob(let data):
            // Empty data may have no address, which would bind NULL.
            guard !data.isEmpty else { return sqlite3_bind_zeroblob(pointer, index, 0) }
            return data.withUnsafeBytes { bytes in
                sqlite3_bind_blob64(pointer, index, bytes.baseAddress, UInt64(bytes.count), copiedAtOnce)
            }
        }
    }

    private func value(at index: Int32) -> SQLiteValue {
        switch sqlite3_column_type(pointer, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(pointer, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(pointer, index))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(pointer, index)
            return .text(String(decoding: bytes(from: start, at: index), as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(pointer, index)
            return .blob(Data(bytes(from: start?.assumingMemoryBound(to: UInt8.self), at: index)))
        default: return .null
        }
    }

    private func bytes(from start: UnsafePointer<UInt8>?, at index: Int32) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(pointer, index)))
    }
}

/// `SQLITE_TRANSIENT`, a cast that Swift does not import: SQLite copies the bytes before the call returns.
nonisolated(unsafe) private let copiedAtOnce = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
