import GRDB

/// What was being done when an error came.
package enum StorageOperation {
    case open(path: String)
    case read
    case write
    case backup(path: String)
}

extension DatabaseActor {
    /// Runs a body, and throws what goes wrong as ours.
    func convertingErrors<T>(
        during operation: StorageOperation, _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch {
            throw StorageError.from(error, during: operation)
        }
    }
}

extension StorageError {
    /// The one place where GRDB's errors become ours. A ``StorageError`` and a cancellation pass unchanged.
    package static func from(_ error: any Error, during operation: StorageOperation) -> any Error {
        let error = error.ofGRDB.orCancellation
        if error is StorageError || error is CancellationError { return error }
        if (error as? DatabaseError)?.isOfDeepNesting == true { return nestedTooDeep }
        switch operation {
        case .open(let path):
            return opening(path, failed: error)
        case .read:
            return queryFailed(sql: (error as? DatabaseError)?.sql, underlying: error)
        case .write:
            let violation = (error as? DatabaseError).flatMap(ConstraintViolation.init)
            return violation.map(constraintViolated) ?? transactionFailed(underlying: error)
        case .backup(let path):
            return transactionFailed(underlying: BackupError(path: path, cause: error))
        }
    }

    /// Whether there is a file that can be read, and that cannot be written or have another beside it: SQLite says of a
    /// write-ahead log on a disk that is mounted read-only that it cannot open the file.
    private static func isReadOnly(_ path: String) -> Bool {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let places = [file.path, file.deletingLastPathComponent().path]
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isReadableFile(atPath: file.path)
            && !places.allSatisfy(FileManager.default.isWritableFile(atPath:))
    }

    /// What keeps a file from being opened, in words that say what to do.
    private static func opening(_ path: String, failed error: any Error) -> StorageError {
        guard let database = error as? DatabaseError else {
            return .invalidConfiguration(message: "'\(path)' cannot be opened: \(error)")
        }
        let readOnly = StorageError.invalidConfiguration(
            message:
                "'\(path)' cannot be opened for writing, which a write-ahead log needs: the file or its folder is read-only"
        )
        switch database.resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_PERM:
            return isReadOnly(path) ? readOnly : .databaseNotFound(path: path)
        case .SQLITE_NOTADB:
            return .invalidConfiguration(message: "'\(path)' is not an SQLite database; it was left as it is")
        case .SQLITE_READONLY:
            return readOnly
        case .SQLITE_CORRUPT:
            return .invalidConfiguration(
                message: "'\(path)' is damaged: \(database.message ?? "SQLite cannot read it"). Restore a backup")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return .invalidConfiguration(message: "'\(path)' is locked by another process; try again later")
        default:
            let advice = database.advice.map { " (\($0))" } ?? ""
            return .invalidConfiguration(message: "'\(path)' cannot be opened: \(database)\(advice)")
        }
    }
}

/// A backup that could not be made. A file that was there before is as it was.
public struct BackupError: Error, Sendable {
    /// Where the backup was to be.
    public let path: String
    /// What went wrong.
    public let cause: any Error
}

extension BackupError: LocalizedError {
    /// The place, the cause and what to do.
    public var errorDescription: String? {
        "no backup was made to '\(path)': \(cause)" + ((cause as? any AdvisedError)?.advice.map { " (\($0))" } ?? "")
    }
}

extension DatabaseError {
    /// Whether SQLite's parser gave up. It says so by its message alone.
    fileprivate var isOfDeepNesting: Bool {
        message == "parser stack overflow" || message?.hasPrefix("Expression tree is too large") == true
    }
}

extension DatabaseError {
    /// Whether an upsert names columns of which there is no unique key.
    var isAboutMissingKey: Bool {
        resultCode == .SQLITE_ERROR && message?.hasPrefix("ON CONFLICT clause does not match") == true
    }

    /// Whether a statement names a column that the table does not have.
    fileprivate var isAboutMissingColumn: Bool {
        guard resultCode == .SQLITE_ERROR, let message else { return false }
        return message.hasPrefix("no such column: ")
            || message.hasPrefix("table ") && message.contains(" has no column named ")
    }
}

extension DatabaseError: AdvisedError {
    /// What to do about an error that comes from outside the program, or from a table that does not fit.
    package var advice: String? {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: "another connection or process holds a lock: let it finish, and try again"
        case .SQLITE_READONLY:
            "the file or its folder cannot be written, or the store is open for reading alone: check permissions and options"
        case .SQLITE_FULL:
            "the disk, or the quota, is full: free some space, and try again. Of ids that SQLite gives, Int64.max is the last"
        case .SQLITE_IOERR: "the disk reported an error: check it, and the space left on it"
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: "the file is damaged: restore a backup"
        case .SQLITE_CANTOPEN:
            "the file is gone or was moved, it or its folder cannot be read, or the process has too many files open"
        case .SQLITE_ERROR where isAboutMissingKey:
            "rows are saved by their id: make its column the primary key of the table, or give it a unique index"
        case .SQLITE_ERROR where message?.hasPrefix("no such table") == true:
            "name the entity's record in autoSchema, before what needs the table, or make the table in a migration; "
                + "addKVCache makes that of a cache. If a newer version of the app has renamed the table, update the app"
        case .SQLITE_ERROR where isAboutMissingColumn:
            "if a newer version of the app has renamed or dropped the column, update the app"
        default: nil
        }
    }
}
