import Foundation
import GRDBSQLite

/// A connection as C opens it, with the settings that GRDB gives to its own: write-ahead log, synchronous NORMAL,
/// foreign keys. Unchecked, because a workload uses it from one task at a time.
final class RawStore: @unchecked Sendable {
    let connection: OpaquePointer

    init(_ url: URL) throws {
        var handle: OpaquePointer?
        // Each connection has one user at a time, as GRDB's have.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(url.path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else { throw RawError(code: code, message: "cannot open \(url.path)") }
        connection = handle
        // The store that made the file may not be quite closed yet.
        sqlite3_busy_timeout(handle, 10_000)
        for pragma in ["journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"] {
            try run("PRAGMA \(pragma)")
        }
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    /// Runs statements without results.
    func run(_ sql: String) throws {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    func prepare(_ sql: String) throws -> RawStatement {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw error(code) }
        return RawStatement(handle: handle, store: self)
    }

    fileprivate func error(_ code: Int32) -> RawError {
        RawError(code: code, message: String(cString: sqlite3_errmsg(connection)))
    }
}

/// A prepared statement, to be used again and again.
final class RawStatement: @unchecked Sendable {
    let handle: OpaquePointer
    private let store: RawStore

    fileprivate init(handle: OpaquePointer, store: RawStore) {
        self.handle = handle
        self.store = store
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Goes to the next row; false behind the last.
    @inline(__always) func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw store.error(code) }
        return false
    }

    /// Makes the statement ready to run again.
    @inline(__always) func reset() {
        sqlite3_reset(handle)
    }

    @inline(__always) func bind(_ text: String, at index: Int32) {
        var text = text
        text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                _ = sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), RawStatement.transient)
            }
        }
    }

    @inline(__always) func bind(_ data: Data, at index: Int32) {
        data.withUnsafeBytes {
            _ = sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), RawStatement.transient)
        }
    }

    /// The first column of the first row.
    func number() throws -> Int {
        defer { reset() }
        return try step() ? Int(sqlite3_column_int64(handle, 0)) : 0
    }

    /// Tells SQLite to copy what is bound.
    static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// An error of SQLite.
struct RawError: Error, CustomStringConvertible {
    let code: Int32
    let message: String

    var description: String { "SQLite error \(code): \(message)" }
}
