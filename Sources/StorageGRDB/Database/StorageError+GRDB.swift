import GRDB

/// What was being done when an error came.
package enum StorageOperation {
    case open(path: String)
    case read
    case write
}

extension StorageError {
    /// The one place where GRDB's errors become ours. A ``StorageError`` and a cancellation pass unchanged.
    package static func from(_ error: any Error, during operation: StorageOperation) -> any Error {
        if error is StorageError || error is CancellationError { return error }
        switch operation {
        case .open(let path):
            return opening(path, failed: error)
        case .read:
            return queryFailed(sql: (error as? DatabaseError)?.sql, underlying: error)
        case .write:
            return transactionFailed(underlying: error)
        }
    }

    /// What keeps a file from being opened, in words that say what to do.
    private static func opening(_ path: String, failed error: any Error) -> StorageError {
        guard let database = error as? DatabaseError else {
            return .invalidConfiguration(message: "'\(path)' cannot be opened: \(error)")
        }
        switch database.resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_PERM:
            return .databaseNotFound(path: path)
        case .SQLITE_NOTADB:
            return .invalidConfiguration(message: "'\(path)' is not an SQLite database; it was left as it is")
        case .SQLITE_READONLY:
            return .invalidConfiguration(message: "'\(path)' cannot be written: the file or its folder is read-only")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return .invalidConfiguration(message: "'\(path)' is locked by another process; try again later")
        default:
            return .invalidConfiguration(message: "'\(path)' cannot be opened: \(database)")
        }
    }
}
