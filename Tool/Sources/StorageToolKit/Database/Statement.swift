import Foundation
import GRDBSQLite

/// A prepared statement and the row it stands on.
final class Statement {
    private let connection: Connection
    private let handle: OpaquePointer

    init(_ sql: String, on connection: Connection) throws {
        guard !sql.utf8.contains(0) else { throw ToolError(.badData, "the SQL has a NUL in it") }
        self.connection = connection
        var sql = sql
        handle = try sql.withUTF8 { bytes in
            let text = UnsafeRawBufferPointer(bytes)
            let (first, length) = try Statement.compile(text, on: connection)
            guard let first else { throw ToolError(.badData, "the SQL has no statement in it") }
            // Behind the first there may be space and comments, and nothing else.
            let second = Result {
                try Statement.compile(UnsafeRawBufferPointer(rebasing: text[length...]), on: connection).handle
            }
            if case .success(nil) = second { return first }
            if case .success(let statement) = second { sqlite3_finalize(statement) }
            sqlite3_finalize(first)
            throw ToolError(.badData, "the SQL has more than one statement; give one at a time")
        }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    private static func compile(
        _ text: UnsafeRawBufferPointer, on connection: Connection
    ) throws -> (handle: OpaquePointer?, length: Int) {
        guard let start = text.baseAddress, !text.isEmpty else { return (nil, 0) }
        let chars = start.assumingMemoryBound(to: CChar.self)
        var handle: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        guard sqlite3_prepare_v2(connection.handle, chars, Int32(text.count), &handle, &tail) == SQLITE_OK else {
            throw SQLiteError(connection.handle)
        }
        return (handle, tail.map { $0 - chars } ?? text.count)
    }

    /// Whether it changes nothing.
    var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// The names of the columns of its rows; empty for a statement without rows.
    var columnNames: [String] {
        (0..<sqlite3_column_count(handle)).map { index in
            sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
        }
    }

    // MARK: - Parameters

    /// How many parameters it has.
    var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// The index of a parameter by its name, with the sign it begins with; nil if there is none.
    func parameterIndex(_ name: String) -> Int? {
        let index = sqlite3_bind_parameter_index(handle, name)
        return index == 0 ? nil : Int(index)
    }

    /// Binds all parameters, and makes the statement ready to run.
    func bind(_ cells: [Cell]) throws {
        sqlite3_reset(handle)
        for (index, cell) in cells.enumerated() { try bind(cell, at: index + 1) }
    }

    /// - Parameter index: The parameter, from 1.
    func bind(_ cell: Cell, at index: Int) throws {
        let index = Int32(index)
        let code =
            switch cell {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let value): sqlite3_bind_int64(handle, index, value)
            case .real(let value): sqlite3_bind_double(handle, index, value)
            case .text(var value): value.withUTF8 { bindText(UnsafeRawBufferPointer($0), index) }
            case .brokenText(let value): value.withUnsafeBytes { bindText($0, index) }
            case .blob(let value) where value.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
            case .blob(let value):
                value.withUnsafeBytes {
                    sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Statement.copied)
                }
            }
        guard code == SQLITE_OK else { throw SQLiteError(connection.handle) }
    }

    private func bindText(_ bytes: UnsafeRawBufferPointer, _ index: Int32) -> Int32 {
        guard let start = bytes.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, Statement.copied) }
        return sqlite3_bind_text64(
            handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), Statement.copied,
            UInt8(SQLITE_UTF8))
    }

    /// SQLite's sign that it has to copy what is bound: the pointer -1.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    // MARK: - Rows

    /// Goes to the next row.
    ///
    /// - Returns: Whether there is one.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        default:
            let error = SQLiteError(connection.handle)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// All values of the row.
    func row() -> [Cell] {
        (0..<Int(sqlite3_data_count(handle))).map(cell)
    }

    /// - Parameter index: The column, from 0.
    func cell(_ index: Int) -> Cell {
        let index = Int32(index)
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            let start = UnsafeRawPointer(sqlite3_column_text(handle, index))
            return Cell(textBytes: bytes(start, index))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, index)
            return .blob(Data(bytes(start, index)))
        default: return .null
        }
    }

    private func bytes(_ start: UnsafeRawPointer?, _ index: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
    }
}
