import GRDB
import StorageSQLite
import Synchronization

extension StorageContext {
    /// Opens the file of a store, and creates its folder if missing.
    ///
    /// - Throws: `StorageError` that says why the file cannot be opened.
    package static func open(
        _ url: URL, _ options: PoolOptions, createsPrivateFile: Bool, sharesFile: Bool, watchesOtherProcesses: Bool,
        monitor: (any StorageMonitor)?
    ) throws -> StorageContext {
        let path = url.path
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw StorageError.databaseNotFound(path: path)
        }
        do {
            var configuration = options.configuration()
            try configuration.check()
            if sharesFile { configuration.shareFile() }
            // Only what is ours: of two processes that make the file at once, each could take the other's log away.
            if !configuration.readonly, ChangeHub.isOpen(at: path) { url.removeLeftBeside() }
            if createsPrivateFile, !configuration.readonly { try url.createPrivateFile() }
            let pool = try openPool(path, configuration)
            // SQLite opens a file that it may not write for reading alone, and says so at the first write only.
            let isReadOnly = pool.unsafeReentrantWrite {
                $0.borrowedConnection.map { $0.isReadOnly || !$0.canWriteLog } == true
            }
            if isReadOnly, !configuration.readonly {
                throw DatabaseError(resultCode: .SQLITE_READONLY)
            }
            let dbActor = DatabaseActor(
                pool, watchesOtherProcesses: watchesOtherProcesses, mayRestartQueries: options.mayRestartQueries,
                monitor: monitor)
            return StorageContext(pool: pool, dbActor: dbActor)
        } catch is FileError {
            throw StorageError.databaseNotFound(path: path)
        } catch {
            throw StorageError.from(error, during: .open(path: path))
        }
    }

    /// Opens a database that is in no file.
    ///
    /// - Throws: `StorageError` that says why the options cannot be.
    package static func openInMemory(
        _ options: PoolOptions, monitor: (any StorageMonitor)?
    ) throws -> StorageContext {
        do {
            let configuration = options.configuration()
            try configuration.check()
            let queue = try DatabaseQueue(configuration: configuration)
            return StorageContext(
                pool: queue,
                dbActor: DatabaseActor(
                    queue, watchesOtherProcesses: false, mayRestartQueries: true, monitor: monitor))
        } catch {
            throw StorageError.from(error, during: .open(path: ":memory:"))
        }
    }

    /// A pool that syncs as the configuration asks: GRDB sets it to NORMAL after all that prepares the connection.
    private static func openPool(_ path: String, _ configuration: Configuration) throws -> DatabasePool {
        let asked = Mutex<Int?>(nil)
        var configuration = configuration
        configuration.prepareDatabase { db in
            guard !db.configuration.readonly else { return }
            let value = try Int.fetchOne(db, sql: "PRAGMA synchronous")
            asked.withLock { $0 = value }
        }
        let pool = try waitingForLocks(configuration) { try DatabasePool(path: path, configuration: configuration) }
        if let asked = asked.withLock({ $0 }), asked != 1 {
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(asked)") }
        }
        return pool
    }

    /// SQLite waits for a lock, but not while it switches a file to its write-ahead log: of two connections that do so
    /// at once, one is told at once that the file is locked. It then tries again for as long as it would have waited.
    private static func waitingForLocks<T>(_ configuration: Configuration, _ open: () throws -> T) throws -> T {
        guard case .timeout(let seconds) = configuration.busyMode else { return try open() }
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            do {
                return try open()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                Thread.sleep(forTimeInterval: .random(in: 0.001...0.01))
            }
        }
    }
}

extension Connection {
    /// Whether the files of the log may be written. Another user may have left them, and SQLite says so at the first
    /// write only.
    fileprivate var canWriteLog: Bool {
        guard let filePath else { return true }
        let files = ["-wal", "-shm"].map { filePath + $0 }.filter(FileManager.default.fileExists(atPath:))
        return files.allSatisfy(FileManager.default.isWritableFile(atPath:))
    }
}

extension Configuration {
    /// For a file that other processes of an app open too, as GRDB's guide to sharing a database has it: readers find the log,
    /// and whoever posts GRDB's suspension notification ends writes and keeps new ones from beginning.
    fileprivate mutating func shareFile() {
        observesSuspensionNotifications = true
        prepareDatabase { db in
            guard !db.configuration.readonly, let connection = db.borrowedConnection else { return }
            try DatabaseError.from { () throws(SQLiteFailure) in try connection.keepLog() }
        }
    }
}
