import GRDB
import StorageSQLite

extension StoreBackup {
    /// The copies of a store, newest first.
    package static func all(of store: URL) throws -> [StoreBackup] {
        let folder = store.resolvingSymlinksInPath().deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        do {
            return try StoreCopies(of: store).all()
        } catch {
            throw StorageError.invalidConfiguration(message: "'\(folder.path)' cannot be read: \(error)")
        }
    }
}

/// A copy of a store, and the store that it is to be written into.
package struct StoreRestore {
    private let url: URL
    private let store: URL

    /// - Parameters:
    ///   - copy: The file of the copy.
    ///   - store: The file of the store.
    package init(copy: URL, store: URL) {
        url = copy
        self.store = store
    }

    /// Writes the copy into the file of the store, as one commit that nobody who has the file open knows anything of. What was there
    /// is kept as one more copy.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - goOn: Called again and again. What it throws ends the restoring, with the file as it was.
    /// - Returns: The copy of what was there; nil if there was nothing.
    /// - Throws: ``StorageError/transactionFailed(underlying:)`` with a ``RestoreError`` or, where what was there cannot be kept, a
    ///   ``BackupError``.
    package func run(now: Date, goOn: () throws -> Void = {}) throws -> StoreBackup? {
        do {
            try check()
            let kept = try writeIntoStore(now, goOn)
            ChangeHub.known(at: store.path)?.forgetSchema()
            return kept
        } catch let error as CancellationError {
            throw error
        } catch  where error is BackupError || error is RestoreError {
            throw StorageError.transactionFailed(underlying: error)
        } catch {
            throw StorageError.transactionFailed(underlying: failure(.failed(error.ofGRDB)))
        }
    }

    private func failure(_ reason: RestoreError.Reason) -> RestoreError { RestoreError(backup: url, reason: reason) }

    /// Reads all of the copy.
    private func check() throws {
        guard FileManager.default.fileExists(atPath: url.path) else { throw failure(.isMissing) }
        do {
            var configuration = PoolOptions(preset: .none).configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: url.path, configuration: configuration)
            defer { try? queue.close() }
            let lines = try queue.read { db in
                guard try Int.fetchOne(db, sql: "PRAGMA page_count") != 0 else { return ["the file is empty"] }
                return try db.damage()
            }
            if !lines.isEmpty { throw failure(.isDamaged(lines)) }
        } catch let error as DatabaseError where error.isDamage {
            throw failure(.isDamaged([error.message ?? "\(error.resultCode)"]))
        }
    }

    private func writeIntoStore(_ now: Date, _ goOn: () throws -> Void) throws -> StoreBackup? {
        let source = try Connection(path: url.path, .read)
        let isNew = !FileManager.default.fileExists(atPath: store.path)
        if isNew { try makeStore() }
        var isDone = false
        defer { if isNew, !isDone { store.removeIfEmpty() } }
        do {
            // Through SQLite, as all who have the file open: it is never renamed or truncated under them.
            // The log lies beside the file that a symbolic link leads to.
            let hasLog = FileManager.default.fileExists(atPath: store.resolvingSymlinksInPath().path + "-wal")
            let target = try Connection(path: store.path, .write)
            // Who may only read needs the log that the store keeps for it.
            if hasLog { try target.keepLog() }
            let isEmpty = try target.value("PRAGMA page_count") == .integer(0)
            if !isEmpty { try prepare(target, for: source) }
            var kept: StoreBackup?
            do {
                try source.copy(to: target) {
                    if !isEmpty { kept = try keepStore(now, goOn) }
                } progress: { _, _ in
                    try goOn()
                }
            } catch {
                // The store has all of it still, and needs no copy. After an error of the disk nobody knows.
                let isSure = (error as? SQLiteFailure)?.kind != .inputOutput
                if let kept, isSure { try? FileManager.default.removeItem(at: kept.url) }
                throw error
            }
            isDone = true
            return kept
        } catch let error as SQLiteFailure where error.kind == .busy || error.kind == .locked {
            throw failure(.isInUse(byThisProcess: ChangeHub.known(at: store.path)?.isWriting == true))
        } catch let error as SQLiteFailure where error.kind == .noDatabase || error.kind == .corrupt {
            throw failure(.storeIsNoDatabase)
        }
    }

    /// Makes an empty file, and its folder as a start does.
    private func makeStore() throws {
        try FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
        store.removeLeftBeside()
        try store.createFile(like: url)
    }

    private func prepare(_ target: Connection, for source: Connection) throws {
        for (pragma, reason) in [("page_size", RestoreError.Reason.otherPageSize), ("encoding", .otherEncoding)] {
            let (own, others) = (try source.value("PRAGMA \(pragma)"), try target.value("PRAGMA \(pragma)"))
            guard own == others else { throw failure(reason) }
        }
        // Others can read it then while it is locked, as it takes to keep what is there.
        try target.run("PRAGMA journal_mode = WAL")
    }

    /// Copies what is in the store, which is locked.
    private func keepStore(_ now: Date, _ goOn: () throws -> Void) throws -> StoreBackup {
        let connection = try Connection(path: store.path, .read)
        let version = StoreVersion.of((try? connection.recordedMigrations()) ?? [])
        return try StoreCopies(of: store).make(from: connection, from: version, to: nil, now: now) { _, _ in try goOn()
        }
    }
}

extension URL {
    /// Removes a file that nobody has written to.
    fileprivate func removeIfEmpty() {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        if size == 0 { try? FileManager.default.removeItem(at: self) }
    }
}

extension Connection {
    fileprivate func recordedMigrations() throws -> [String] {
        let statement = try prepare("SELECT identifier FROM \(Database.migrationsTable) ORDER BY rowid")
        var ids: [String] = []
        while try statement.handle.step() {
            if case .text(let id) = statement.handle.cell(at: 0).value { ids.append(id) }
        }
        return ids
    }
}

/// A copy could not be put back. The store is as it was.
public struct RestoreError: Error, Sendable {
    /// Why a copy could not be put back.
    public enum Reason: Sendable {
        /// The copy is not there any more.
        case isMissing
        /// The copy is damaged: what SQLite says.
        case isDamaged([String])
        /// The copy is made of pages of another size than the store.
        case otherPageSize
        /// The texts of the copy are in another encoding than those of the store.
        case otherEncoding
        /// Somebody has a transaction open on the store and did not end it in time: this process, as far as is known, or another one.
        case isInUse(byThisProcess: Bool)
        /// The store's file is no database, or is damaged, so that nothing can be written into it. Move it away while no program has it
        /// open, and put the copy back then.
        case storeIsNoDatabase
        /// Anything else.
        case failed(any Error)
    }

    /// The copy.
    public let backup: URL
    /// Why it could not be put back.
    public let reason: Reason
}

extension RestoreError: LocalizedError {
    /// The copy, why it could not be put back, and what to do.
    public var errorDescription: String? {
        let why =
            switch reason {
            case .isMissing: "it is not there any more"
            case .isDamaged(let lines): "it is damaged: \(lines.prefix(3).joined(separator: "; "))"
            case .otherPageSize: "its pages have another size than those of the store"
            case .otherEncoding: "its texts are in another encoding than those of the store"
            case .isInUse(let isOurs):
                (isOurs ? "this process" : "a connection or another process")
                    + " has a transaction open on the store: let it end, and try again"
            case .storeIsNoDatabase:
                "the store's file is no database, or is damaged: move it away while no program has it open, and try again"
            case .failed(let cause):
                "\(cause)" + ((cause as? any AdvisedError)?.advice.map { " (\($0))" } ?? "")
            }
        return "'\(backup.lastPathComponent)' was not put back: \(why)"
    }
}
