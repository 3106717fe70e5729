import Foundation
import GRDBSQLite

/// A connection to a database, for one thread.
final class Connection {
    /// What a connection may do.
    enum Mode {
        /// Read, beside other programs that write.
        case read
        /// Read a file that nobody else has open: without locks, and without a file beside it.
        case readAlone
        /// Read and write a file that is there.
        case write
        /// Read and write; the file is made if missing.
        case create
    }

    let handle: OpaquePointer

    /// - Throws: ``SQLiteError`` if the file cannot be opened; most errors come with the first statement.
    init(_ path: String, _ mode: Mode) throws {
        var handle: OpaquePointer?
        let name = mode == .readAlone ? Connection.immutableName(path) : path
        let flags =
            switch mode {
            case .read: SQLITE_OPEN_READONLY
            case .readAlone: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .write: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_FULLMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw handle.map(SQLiteError.init) ?? SQLiteError(code: code, message: "out of memory")
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 5000)
        StorageKitSQL.add(to: handle)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// A path as a URI, which alone can say that a file does not change.
    private static func immutableName(_ path: String) -> String {
        let plain = path.utf8.map { byte -> String in
            let isPlain =
                byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || "0123456789/._-".utf8.contains(byte))
            return isPlain ? String(Unicode.Scalar(byte)) : String(format: "%%%02X", Int(byte))
        }
        return "file://" + plain.joined() + "?immutable=1"
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    var changeCount: Int { Int(sqlite3_changes64(handle)) }

    /// Prepares one statement.
    ///
    /// - Throws: ``SQLiteError`` if SQLite does not understand it; ``ToolError`` if there is none, or more than one.
    func prepare(_ sql: String) throws -> Statement {
        try Statement(sql, on: self)
    }

    /// Runs a statement to its end.
    func run(_ sql: String, _ arguments: [Cell] = []) throws {
        let statement = try prepare(sql)
        try statement.bind(arguments)
        while try statement.step() {}
    }

    /// All rows of a statement.
    func rows(_ sql: String, _ arguments: [Cell] = []) throws -> [[Cell]] {
        let statement = try prepare(sql)
        try statement.bind(arguments)
        var rows: [[Cell]] = []
        while try statement.step() { rows.append(statement.row()) }
        return rows
    }

    /// The first value of the first row.
    func value(_ sql: String, _ arguments: [Cell] = []) throws -> Cell {
        let statement = try prepare(sql)
        try statement.bind(arguments)
        return try statement.step() ? statement.cell(0) : .null
    }

    /// The first value of the first row, as an integer; 0 if it is none.
    func integer(_ sql: String, _ arguments: [Cell] = []) throws -> Int {
        try value(sql, arguments).integer.map { Int(clamping: $0) } ?? 0
    }

    /// Runs `body` in a transaction: of its own view of the file, or of all it writes.
    ///
    /// - Parameter begin: How the transaction begins.
    func transaction<T>(_ begin: String = "BEGIN", _ body: () throws -> T) throws -> T {
        try run(begin)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // SQLite rolls back by itself after some errors.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }
}
