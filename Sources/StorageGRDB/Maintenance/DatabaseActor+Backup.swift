import GRDB
import StorageSQLite

extension DatabaseActor {
    /// Copies the database, as it is at one moment, to a file of its own. Writers go on meanwhile.
    ///
    /// The copy is made beside `url` and takes its place when it is complete: a file that was there stays whole until
    /// then, and stays for good if the backup fails.
    package func backup(to url: URL) async throws {
        try await convertingErrors(during: .backup(path: url.path)) {
            let place = try url.placeOfFile().resolvingSymlinksInPath()
            try checkPlace(place.path)
            // A slow disk takes long for what is copied, and for having it for good.
            try await onOwnThread { isCancelled in
                try self.copy(to: place) { if isCancelled() { throw CancellationError() } }
            }
        }
    }

    /// - Parameters:
    ///   - place: The file to make, or to replace.
    ///   - goOn: Called again and again. What it throws ends the copying, with what was there as it was.
    private func copy(to place: URL, goOn: () throws -> Void) throws {
        // Not after the file, whose name may be as long as a name can be.
        let partial = place.deletingLastPathComponent().appendingPathComponent(".backup-\(UUID().uuidString)")
        defer { partial.removeDatabase() }
        // The copy is for those who may read the store, from the first moment.
        let store = URL(fileURLWithPath: pool.path)
        if store.permissions == nil, !changes.isInMemory {
            // The store's file was removed, and nobody knows any more who might read it.
            try partial.createPrivateFile()
        } else {
            try partial.createFile(like: store)
        }
        do {
            try openPool.read { db in
                guard let source = db.borrowedConnection else { throw DatabaseError.storeIsClosed }
                try source.copy(to: partial) { _, _ in try goOn() }
            }
        } catch {
            throw orClosed(error)
        }
        try partial.replace(place, goOn: goOn)
    }

    /// Nobody may have the old file open: its write-ahead log would be taken for the new one's.
    private func checkPlace(_ path: String) throws {
        if URL(fileURLWithPath: pool.path).resolvingSymlinksInPath().path == path {
            throw StorageError.invalidConfiguration(message: "'\(path)' is the store itself; name another file")
        }
        for suffix in URL.databaseSuffixes where path.hasSuffix(suffix) {
            let database = String(path.dropLast(suffix.count))
            guard !FileManager.default.fileExists(atPath: database) else {
                throw StorageError.invalidConfiguration(
                    message: "'\(path)' is where SQLite keeps what belongs to the database '\(database)'; "
                        + "name another file")
            }
        }
        for suffix in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            throw StorageError.invalidConfiguration(
                message: "'\(path)' is a database in use, or was not closed ('\(path + suffix)' is there); "
                    + "name another file")
        }
    }
}

extension URL {
    fileprivate func removeDatabase() {
        for suffix in [""] + URL.databaseSuffixes {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
