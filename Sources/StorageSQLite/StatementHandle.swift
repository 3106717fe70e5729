import Foundation
public import GRDBSQLite

/// A prepared statement that somebody else owns: its parameters and the row it stands on, by position.
///
/// Used by one thread at a time, as its connection is.
@frozen
public struct StatementHandle {
    /// SQLite's statement.
    public let pointer: OpaquePointer

    /// Wraps a statement of SQLite's, which has to outlive this value.
    @inlinable
    public init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    // MARK: - Running

    /// Goes to the next row.
    ///
    /// - Returns: SQLite's result code: `SQLITE_ROW`, `SQLITE_DONE` or an error's.
    @inlinable
    public func stepping() -> Int32 { sqlite3_step(pointer) }

    /// Goes to the next row.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``SQLiteFailure``. The statement has yet to be reset.
    public func step() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// What SQLite says of the last call that failed.
    ///
    /// - Parameter code: What that call returned.
    public func failure(_ code: Int32) -> SQLiteFailure {
        SQLiteFailure(of: sqlite3_db_handle(pointer), code, sql: sql)
    }

    /// Makes it ready to run again. Its arguments stay.
    @inlinable
    public func reset() { sqlite3_reset(pointer) }

    /// Makes all parameters NULL.
    @inlinable
    public func clearBindings() { sqlite3_clear_bindings(pointer) }

    /// The SQL that was prepared.
    public var sql: String { sqlite3_sql(pointer).map { String(cString: $0) } ?? "" }

    /// How often SQLite has compiled it anew, since the schema was another; its columns may be others then.
    package var recompilations: Int32 { sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0) }

    /// Whether it changes nothing by itself; the beginning and end of transactions change nothing either, nor does what explains a change.
    public var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 || isExplanation }

    /// Whether it is an `EXPLAIN`, of whatever statement.
    public var isExplanation: Bool { sqlite3_stmt_isexplain(pointer) != 0 }

    // MARK: - Parameters, from 1

    /// How many parameters it has.
    public var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    /// The position of a parameter by its name, with the sign that it begins with; nil if there is none.
    public func parameterIndex(_ name: String) -> Int? {
        let index = sqlite3_bind_parameter_index(pointer, name)
        return index == 0 ? nil : Int(index)
    }

    /// Binds a value.
    ///
    /// - Parameters:
    ///   - value: The value; SQLite copies it.
    ///   - index: The parameter, from 1.
    /// - Returns: SQLite's result code.
    public func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: bindNull(at: index)
        case .integer(let number): bind(number, at: index)
        case .real(let number): bind(number, at: index)
        case .text(let text): text.withBytes { bindText(UnsafeRawBufferPointer($0), at: index) }
        case .blob(let data): data.withUnsafeBytes { bindBlob($0, at: index) }
        }
    }

    /// Binds NULL.
    @inlinable
    public func bindNull(at index: Int32) -> Int32 { sqlite3_bind_null(pointer, index) }

    /// Binds an INTEGER.
    @inlinable
    public func bind(_ number: Int64, at index: Int32) -> Int32 { sqlite3_bind_int64(pointer, index, number) }

    /// Binds a REAL.
    @inlinable
    public func bind(_ number: Double, at index: Int32) -> Int32 { sqlite3_bind_double(pointer, index, number) }

    /// Binds a TEXT.
    ///
    /// - Parameters:
    ///   - utf8: Its bytes, a NUL among them too.
    ///   - index: The parameter, from 1.
    ///   - ownership: Whether SQLite copies them.
    @inlinable
    public func bindText(
        _ utf8: UnsafeRawBufferPointer, at index: Int32, _ ownership: BytesOwnership = .copied
    ) -> Int32 {
        let start = (utf8.baseAddress ?? BytesOwnership.noBytes).assumingMemoryBound(to: CChar.self)
        return sqlite3_bind_text64(
            pointer, index, start, UInt64(utf8.count), ownership.destructor, UInt8(SQLITE_UTF8))
    }

    /// Binds a BLOB; one without bytes is not NULL.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - index: The parameter, from 1.
    ///   - ownership: Whether SQLite copies them.
    @inlinable
    public func bindBlob(
        _ bytes: UnsafeRawBufferPointer, at index: Int32, _ ownership: BytesOwnership = .copied
    ) -> Int32 {
        let start = bytes.baseAddress ?? BytesOwnership.noBytes
        return sqlite3_bind_blob64(pointer, index, start, UInt64(bytes.count), ownership.destructor)
    }

    // MARK: - The row, columns from 0

    /// How many columns its rows have; 0 for a statement without rows.
    public var columnCount: Int { Int(sqlite3_column_count(pointer)) }

    /// How many bytes the texts and blobs of the row have.
    package var rowByteCount: Int {
        (0..<Int32(columnCount)).reduce(0) { $0 + cell(at: $1).byteCount }
    }

    /// The name of a column.
    public func columnName(at index: Int32) -> String {
        sqlite3_column_name(pointer, index).map { String(cString: $0) } ?? "?"
    }

    /// The names of the columns.
    public var columnNames: [String] { (0..<Int32(columnCount)).map(columnName) }

    /// A column of the row.
    ///
    /// - Parameter index: The position of the column, from 0.
    /// - Returns: What stands there, until the next step.
    @inlinable
    public func cell(at index: Int32) -> ColumnCell { ColumnCell(sqlite3_column_value(pointer, index)) }

    /// The values of the row.
    public var row: [SQLiteValue] { (0..<Int32(columnCount)).map { cell(at: $0).value } }
}
