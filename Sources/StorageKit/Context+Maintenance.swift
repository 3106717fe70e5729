public import StorageRepo

extension StorageKit.Context {
    /// Copies the store, as it is at this moment, to a file of its own, which is a complete database. Reads and writes
    /// go on meanwhile.
    ///
    /// ```swift
    /// try await context.backup(to: folder.appendingPathComponent("2026-01-15.sqlite"))
    /// ```
    ///
    /// The copy has the permissions of the store's file, and its owner may write it. A file that is there is replaced once the copy is complete, the one behind a
    /// symbolic link too (a link to nothing is replaced itself). ``StorageKit/restore(_:to:isolation:)`` puts it in the place of the store. By hand that is done while no program has the file open, nor anything a context of it, which keeps a connection
    /// until it is released; the `-wal` and `-shm` files beside it are removed then.
    ///
    /// - Parameter url: The file to write. Its folder must exist.
    /// - Throws: ``StorageError/invalidConfiguration(message:)`` if `url` is no place of a file, the store itself, a database in use, or a
    ///   file that SQLite keeps beside a database;
    ///   ``StorageError/transactionFailed(underlying:)`` with a ``BackupError`` if it cannot be written;
    ///   `CancellationError` if the task is cancelled. A file that was there is as it was then.
    public func backup(to url: URL) async throws {
        try await storage.dbActor.backup(to: url)
    }

    /// Makes the file as small as its rows allow: deleted rows leave space that SQLite keeps for new ones.
    ///
    /// It takes as much free disk space as the file is large, and other writes wait meanwhile. `VACUUM` in
    /// `pool.write` cannot work, since SQLite refuses it inside a transaction.
    ///
    /// - Throws: ``StorageError/transactionFailed(underlying:)``, with the file as it was.
    public func vacuum() async throws {
        try await storage.dbActor.vacuum()
    }

    /// Has SQLite look at what is in the file, so that of several indexes it takes the one that finds fewer rows.
    ///
    /// Without that, it takes all indexes for equally good: one over a `Bool`, which finds half the table, as good as that of a reference.
    /// It looks at some hundred rows of each index, so that it takes milliseconds in a large file too. What it learns stays in the file
    /// (`ANALYZE`) and counts for all queries from then on. Call it once there are rows, and again when there are many more of them,
    /// say once a week.
    ///
    /// ```swift
    /// try await context.analyze()
    /// ```
    ///
    /// - Throws: ``StorageError/transactionFailed(underlying:)``, with what SQLite knew before.
    public func analyze() async throws {
        try await storage.dbActor.analyze()
    }

    /// Checks the whole file: its structure (`PRAGMA integrity_check`), its foreign keys (`PRAGMA foreign_key_check`)
    /// and its full-text indexes. It reads every page. Whether rows keep the `CHECK` constraints of their table is not looked
    /// at, and of the full-text indexes of a store that only reads no more than whether documents are missing.
    ///
    /// ```swift
    /// let report = try await context.checkIntegrity()
    /// if !report.isIntact { print(report) }
    /// ```
    ///
    /// - Returns: What was found.
    /// - Throws: ``StorageError`` if the check could not be made. A damaged file does not throw, but is reported.
    public func checkIntegrity() async throws -> IntegrityReport {
        try await storage.dbActor.checkIntegrity()
    }

    /// Closes the database, once what the caches write later is written: all commits are in the file itself then, unless
    /// somebody else reads it. Calls made afterwards throw, and streams get no more values and no errors. Without it, the database
    /// closes when the last copy of the context is gone.
    ///
    /// What is being read and written is waited for.
    ///
    /// - Throws: ``StorageError/transactionFailed(underlying:)`` if a connection cannot be closed. Calls throw from then on all
    ///   the same; close again when whoever has a statement of GRDB's or a snapshot is done. The same, with all
    ///   connections closed, if the disk is full or fails, or the file is damaged or cannot be written: commits may then be in the `-wal`
    ///   file beside the store alone. Leave that file where it is; the next start reads it.
    public func close() async throws {
        await stores.close()
        do {
            defer { stores.forgetMemories() }
            // It waits for what is being read and written.
            try await onOwnThread { [storage] _ in try storage.dbActor.close() }
        } catch {
            throw StorageError.from(error, during: .write)
        }
    }
}
