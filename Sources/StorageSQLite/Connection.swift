import GRDBSQLite

/// A connection to a database, for one thread at a time.
///
/// It is opened here and closed with the last reference to it, or belongs to somebody else (GRDB) who opened it.
public final class Connection {
    /// What a connection may do with its file.
    public enum Access {
        /// Read, beside other programs that write.
        case read
        /// Read a file that does not change meanwhile: without locks, and without a file beside it.
        case readUnchanging
        /// Read and write a file that is there.
        case write
        /// Read and write; the file is made if missing.
        case create
    }

    /// SQLite's connection.
    public let pointer: OpaquePointer
    private let isOwned: Bool
    // What SQLite calls for as long as they are set.
    var authorizer: ((Action) -> Answer)?
    var interrupter: (() -> Bool)?
    var patience: ((_ waits: Int32) -> Bool)?

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The file; `:memory:` for none, an empty text for one that is gone when the connection is. It has to begin with
    ///     a slash for ``Access/readUnchanging``.
    ///   - access: What the connection may do with it.
    ///   - busyTimeout: How long a statement waits for the locks of other connections, in milliseconds.
    /// - Throws: ``SQLiteFailure`` if the file cannot be opened; most errors come with the first statement.
    public init(path: String, _ access: Access, busyTimeout: Int32 = 5000) throws(SQLiteFailure) {
        // SQLite would read the path up to there, and open another file.
        guard !path.utf8.contains(0) else {
            throw SQLiteFailure(code: SQLITE_CANTOPEN, message: "the path has a NUL in it")
        }
        let name = access == .readUnchanging ? Connection.immutableName(path) : Connection.plainName(path)
        let flags =
            switch access {
            case .read: SQLITE_OPEN_READONLY
            case .readUnchanging: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .write: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let failure = SQLiteFailure(of: opened, code)
            sqlite3_close_v2(opened)
            throw failure
        }
        pointer = opened
        isOwned = true
        sqlite3_extended_result_codes(pointer, 1)
        sqlite3_busy_timeout(pointer, busyTimeout)
    }

    /// A path of which no SQLite makes a URI, as those do that are built so for names that begin with `file:`.
    private static func plainName(_ path: String) -> String {
        path.utf8.starts(with: "file:".utf8) ? "./" + path : path
    }

    /// A path as a URI, which alone can say that a file does not change.
    private static func immutableName(_ path: String) -> String {
        let plain = path.utf8.map { byte in
            let isPlain =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "0123456789/._-".utf8.contains(byte)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "file://" + plain.joined() + "?immutable=1"
    }

    /// Uses a connection that somebody else opened, and closes later than this is gone.
    package init(borrowing pointer: OpaquePointer) {
        self.pointer = pointer
        isOwned = false
    }

    deinit {
        removeHooks()
        if isOwned { sqlite3_close_v2(pointer) }
    }

    // MARK: - Statements

    /// Prepares the next statement of a text.
    ///
    /// - Parameters:
    ///   - text: The text; moved behind the statement.
    ///   - isKept: Whether the statement will run many times.
    /// - Returns: Nil if there is none, but blanks and comments.
    /// - Throws: ``SQLiteFailure`` with all of the text that follows.
    package func prepareNext(_ text: inout SQLText, isKept: Bool = false) throws(SQLiteFailure) -> Statement? {
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        var compiled: OpaquePointer?
        while compiled == nil, text.bytes[text.start] != 0 {
            let (code, length) = text.bytes.withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self).advanced(by: text.start)
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(pointer, start, -1, flags, &compiled, &tail)
                return (code, start.flatMap { start in tail.map { $0 - start } } ?? 0)
            }
            guard code == SQLITE_OK else { throw SQLiteFailure(of: pointer, code, sql: text.rest) }
            guard length > 0 else { return nil }
            text.start += length
        }
        return compiled.map { Statement($0) }
    }

    /// Prepares a text that is one statement.
    ///
    /// - Throws: ``SQLiteFailure`` if SQLite does not understand it; with the code `SQLITE_ERROR` if it is none, or several.
    public func prepare(_ sql: String) throws(SQLiteFailure) -> Statement {
        var text = try SQLText(sql)
        guard let statement = try prepareNext(&text) else {
            throw SQLiteFailure(.error, "the SQL has no statement in it", sql: sql)
        }
        guard text.isAtEnd else {
            throw SQLiteFailure(.error, "the SQL has more than one statement; give one at a time", sql: sql)
        }
        return statement
    }

    /// Whether a text ends where a statement does, with its semicolon.
    public static func isComplete(_ sql: String) -> Bool { sqlite3_complete(sql) != 0 }

    /// Runs a statement to its end.
    ///
    /// - Throws: ``SQLiteFailure``.
    public func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteFailure) {
        let statement = try prepare(sql)
        try statement.bind(values)
        while try statement.handle.step() {}
    }

    /// Runs all statements of a text.
    ///
    /// - Parameter script: Statements without parameters, each but the last with its semicolon.
    /// - Throws: ``SQLiteFailure`` for the first that fails; those before it have been run.
    public func runAll(_ script: String) throws(SQLiteFailure) {
        var text = try SQLText(script)
        while let statement = try prepareNext(&text) {
            while try statement.handle.step() {}
        }
    }

    /// The first value of the first row; NULL if there is no row.
    ///
    /// - Throws: ``SQLiteFailure``.
    public func value(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteFailure) -> SQLiteValue {
        let statement = try prepare(sql)
        try statement.bind(values)
        return try statement.handle.step() ? statement.handle.cell(at: 0).value : .null
    }

    // MARK: - State

    /// Whether no transaction is open.
    public var isAutocommit: Bool { sqlite3_get_autocommit(pointer) != 0 }

    /// The path of its file; nil for a database that is in none.
    package var filePath: String? {
        sqlite3_db_filename(pointer, "main").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether its file can only be read.
    package var isReadOnly: Bool { sqlite3_db_readonly(pointer, "main") == 1 }

    /// Whether the open transaction has written.
    package var isWriting: Bool { sqlite3_txn_state(pointer, "main") == SQLITE_TXN_WRITE }

    /// How many rows the last INSERT, UPDATE or DELETE changed itself.
    public var changeCount: Int { Int(sqlite3_changes64(pointer)) }

    /// How many rows were changed since the connection was opened, by triggers and cascades too.
    public var totalChangeCount: Int { Int(sqlite3_total_changes64(pointer)) }

    /// Whether the file keeps a write-ahead log, as two bytes of its header say. The pragma for it would read the whole schema.
    package var isInWALMode: Bool {
        guard let file = mainFile, let read = file.pointee.pMethods?.pointee.xRead else { return false }
        var versions: (write: UInt8, read: UInt8) = (0, 0)
        return read(file, &versions, 2, 18) == SQLITE_OK && versions == (2, 2)
    }

    /// How many pages it has written since it was opened; what SQLite wrote and took back counts.
    package var pagesWritten: Int32 { status(SQLITE_DBSTATUS_CACHE_WRITE) }

    /// Whether the open transaction has broken foreign keys that are checked when it is committed.
    package var hasBrokenDeferredKeys: Bool { status(SQLITE_DBSTATUS_DEFERRED_FKS) > 0 }

    private func status(_ kind: Int32) -> Int32 {
        var (now, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(pointer, kind, &now, &highest, 0)
        return now
    }

    /// Whether the files of the log stay beside the database should this be the last connection to close it: without them a
    /// process that may only read cannot open it.
    package var keepsLog: Bool {
        // A negative number asks.
        var answer: Int32 = -1
        sqlite3_file_control(pointer, "main", SQLITE_FCNTL_PERSIST_WAL, &answer)
        return answer == 1
    }

    /// Leaves the files of the log beside the database when it is closed. One without a file has no log, and is left as it is.
    ///
    /// - Throws: ``SQLiteFailure``.
    package func keepLog() throws(SQLiteFailure) {
        var isKept: Int32 = 1
        let code = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        guard [SQLITE_OK, SQLITE_NOTFOUND].contains(code) else {
            throw SQLiteFailure(code: code, message: "the log cannot be kept")
        }
    }

    /// The first region of the log's index (`-shm`), 32 KB that all connections to the file share; nil if there is none. It is
    /// mapped once the connection has read, and for as long as it is open.
    package func mappedLogIndex() -> UnsafeRawPointer? {
        guard let file = mainFile, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            let map = methods.pointee.xShmMap
        else { return nil }
        var region: UnsafeMutableRawPointer?
        // Nothing is extended.
        let code = map(file, 0, 32_768, 0, &region)
        // Whoever may only read has it all the same.
        guard code == SQLITE_OK || code == SQLITE_READONLY else { return nil }
        return region.map { UnsafeRawPointer($0) }
    }

    /// The database file as SQLite has it open; it stays its own.
    private var mainFile: UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        return file
    }
}
