import GRDBSQLite

/// What SQLite says when it refuses.
struct SQLiteError: Error, Equatable {
    /// The extended result code.
    let code: Int32
    let message: String

    /// The result code without its extension.
    var primaryCode: Int32 { code & 0xFF }

    init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// The last error of a connection.
    init(_ handle: OpaquePointer?) {
        code = sqlite3_extended_errcode(handle)
        message = String(cString: sqlite3_errmsg(handle))
    }

    /// `SQLITE_READONLY_RECOVERY` and `SQLITE_READONLY_ROLLBACK`: what a crash left has to be mended by a writer first.
    private static let unfinished = [SQLITE_READONLY | 1 << 8, SQLITE_READONLY | 3 << 8]

    /// The same as an error of the program.
    ///
    /// - Parameter path: The file it is about.
    func forUser(path: String) -> ToolError {
        switch primaryCode {
        case SQLITE_NOTADB:
            ToolError(.badData, "\(path) is no SQLite database, or it is encrypted")
        case SQLITE_CORRUPT:
            ToolError(.badData, "\(path) is damaged: \(message)")
        case SQLITE_BUSY, SQLITE_LOCKED:
            ToolError(.temporary, "\(path) is locked by another program: \(message)")
        case SQLITE_AUTH:
            ToolError(.badData, "only statements that read are allowed here: \(message)")
        case SQLITE_READONLY where SQLiteError.unfinished.contains(code):
            ToolError(
                .temporary,
                "\(path) was left in the middle of a write by a program that crashed: let its own program open it once")
        case SQLITE_READONLY, SQLITE_PERM:
            ToolError(.noPermission, "\(path): \(message)")
        case SQLITE_CANTOPEN:
            ToolError(.noInput, "\(path): \(message)")
        case SQLITE_IOERR, SQLITE_FULL:
            ToolError(.inputOutput, "\(path): \(message)")
        case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE:
            ToolError(.badData, message)
        default:
            ToolError(.software, "\(path): \(message)")
        }
    }
}
