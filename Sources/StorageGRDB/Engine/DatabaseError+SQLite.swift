import GRDB
import StorageSQLite

extension Error {
    /// `CancellationError` if the current task was cancelled and SQLite says that it stopped a statement for that: GRDB knows of
    /// it, but not where statements are stepped past GRDB.
    var orCancellation: any Error { Task.isCancelled && canBeInterruption ? CancellationError() : self }

    private var canBeInterruption: Bool {
        switch self as any Error {
        case let error as DatabaseError: SQLiteFailure(error).canBeInterruption
        case StorageError.queryFailed(_, let cause), StorageError.transactionFailed(let cause): cause.canBeInterruption
        default: false
        }
    }

    /// Whether it says nothing of what was read or written: another connection had a lock, or the caller was cancelled.
    var isOfThisCall: Bool {
        if orCancellation is CancellationError { return true }
        let codes: [ResultCode] = [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT, .SQLITE_ABORT]
        return (self as? DatabaseError).map { codes.contains($0.resultCode) } ?? false
    }

    /// What SQLite says, as GRDB would say it; any other error as it is.
    var ofGRDB: any Error { (self as? SQLiteFailure).map { DatabaseError($0) } ?? self }

    /// Whether the disk is full, or failed.
    var isOfTheDisk: Bool {
        (self as? DatabaseError).map { [.SQLITE_FULL, .SQLITE_IOERR].contains($0.resultCode) } ?? false
    }
}

extension SQLiteFailure {
    fileprivate init(_ error: DatabaseError) {
        self.init(code: error.extendedResultCode.rawValue, message: error.message ?? "", sql: error.sql)
    }
}

extension DatabaseError {
    init(_ failure: SQLiteFailure) {
        self.init(resultCode: ResultCode(rawValue: failure.code), message: failure.message, sql: failure.sql)
    }

    /// Runs a body, and throws what SQLite says as GRDB would.
    static func from<T>(_ body: () throws(SQLiteFailure) -> T) throws(DatabaseError) -> T {
        do {
            return try body()
        } catch {
            throw DatabaseError(error)
        }
    }

    static var storeIsClosed: DatabaseError {
        DatabaseError(resultCode: .SQLITE_MISUSE, message: "the store is closed")
    }
}
