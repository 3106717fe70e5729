import GRDBSQLite

/// What SQLite says when it refuses.
public struct SQLiteFailure: Error, Equatable, Sendable {
    /// The extended result code.
    public let code: Int32
    /// SQLite's words.
    public let message: String
    /// The statement, as far as there is one. Values that were bound to it are not in it.
    public let sql: String?

    /// The result code without its extension.
    public var primaryCode: Int32 { code & 0xFF }

    /// An error with words of one's own.
    public init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// The last error of a connection.
    ///
    /// - Parameters:
    ///   - connection: SQLite's connection; nil if there was no memory for one.
    ///   - code: What the call returned, where the connection knows no better.
    ///   - sql: The statement.
    public init(of connection: OpaquePointer?, _ code: Int32, sql: String? = nil) {
        let known = connection.map { sqlite3_extended_errcode($0) } ?? code
        self.code = known & 0xFF == code & 0xFF ? known : code
        message = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        self.sql = sql
    }
}

extension SQLiteFailure {
    /// The result codes that callers tell apart, without their extensions.
    public enum Kind: Int32 {
        /// `SQLITE_ERROR`: the SQL is wrong, or does not fit the schema.
        case error = 1
        /// `SQLITE_PERM`: the system does not allow it.
        case noPermission = 3
        /// `SQLITE_BUSY`: another connection has a lock.
        case busy = 5
        /// `SQLITE_LOCKED`: another statement of this connection, or of one that shares its cache, has a lock.
        case locked = 6
        /// `SQLITE_READONLY`: the file can only be read.
        case readOnly = 8
        /// `SQLITE_INTERRUPT`: the statement was stopped.
        case interrupted = 9
        /// `SQLITE_IOERR`: reading or writing the file failed.
        case inputOutput = 10
        /// `SQLITE_CORRUPT`: the file is damaged.
        case corrupt = 11
        /// `SQLITE_FULL`: the disk is full.
        case full = 13
        /// `SQLITE_CANTOPEN`: the file cannot be opened.
        case cannotOpen = 14
        /// `SQLITE_TOOBIG`: a value or the SQL is too long.
        case tooBig = 18
        /// `SQLITE_CONSTRAINT`: the row breaks what the table declares.
        case constraint = 19
        /// `SQLITE_MISMATCH`: the value is of another type than the column.
        case mismatch = 20
        /// `SQLITE_AUTH`: ``Connection/authorize(_:)`` refused it.
        case refused = 23
        /// `SQLITE_RANGE`: there is no such parameter or column.
        case range = 25
        /// `SQLITE_NOTADB`: the file is no database, or encrypted.
        case noDatabase = 26
    }

    init(_ kind: Kind, _ message: String, sql: String) {
        self.init(code: kind.rawValue, message: message, sql: sql)
    }

    /// The kind of the error; nil for one that nobody tells apart.
    public var kind: Kind? { Kind(rawValue: primaryCode) }

    /// Whether a statement that was told to stop can end so.
    ///
    /// One that is stopped while SQLite asks a virtual table for its columns, `pragma_foreign_key_list` or a full-text index,
    /// ends with `SQLITE_ERROR`.
    public var canBeInterruption: Bool {
        switch kind {
        case .interrupted: true
        case .error: message == "interrupted" || message.hasPrefix("vtable constructor failed: ")
        default: false
        }
    }
}
