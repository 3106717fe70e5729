public import StorageRepo

extension StorageKit {
    /// The copies of a store that lie beside its file: those that starts made before they changed the schema
    /// (``StartSafety/backup(keeping:)``), and those of what was there when one was put back.
    ///
    /// ```swift
    /// for backup in try StorageKit.backups(of: url) { print(backup) }
    /// ```
    ///
    /// - Parameter url: The file of the store.
    /// - Returns: The copies, newest first.
    /// - Throws: ``StorageError/invalidConfiguration(message:)`` if the folder cannot be read, or the URL is not
    ///   that of a file. A folder that is not there has no copies.
    public static func backups(of url: URL) throws -> [StoreBackup] {
        try StoreBackup.all(of: url.placeOfFile())
    }

    /// Puts a copy back in the place of what is in the store, which is kept as one more copy.
    ///
    /// ```swift
    /// if let backup = try StorageKit.backups(of: url).first { try await StorageKit.restore(backup) }
    /// ```
    ///
    /// The copy is checked, and then written into the file in one transaction, which takes its size in the log until that is emptied.
    /// Stores that are open on the file, in whatever process, see one commit that may have changed anything: caches are empty, streams
    /// read again. Whoever waits for its end longer than his busy timeout gets an error, as with any long transaction.
    ///
    /// The schema is the one that the copy has. Start the store anew with the version of the app that made it, or let today's
    /// migrate it once more.
    ///
    /// - Parameters:
    ///   - backup: The copy. It stays.
    ///   - isolation: The actor that the caller is on.
    /// - Returns: The copy of what was there; nil if the store had no file, or an empty one.
    /// - Throws: ``StorageError/transactionFailed(underlying:)`` with a ``RestoreError`` if the copy is damaged, if its pages have another
    ///   size than those of the store, or if a transaction is open on the store, in this process or another one, and does not end within
    ///   five seconds; with a ``BackupError`` if what is there cannot be kept. `CancellationError` if the task is
    ///   cancelled. The store is as it was then.
    @discardableResult
    public static func restore(
        _ backup: StoreBackup, isolation: isolated (any Actor)? = #isolation
    ) async throws -> StoreBackup? {
        try await restore(backup.url, to: backup.store)
    }

    /// Puts any copy of a store in the place of what is in it, as ``Context/backup(to:)`` makes one. What was there is kept as
    /// one more copy.
    ///
    /// ```swift
    /// try await StorageKit.restore(folder.appendingPathComponent("2026-01-15.sqlite"), to: url)
    /// ```
    ///
    /// - Parameters:
    ///   - copy: The file of the copy. It stays.
    ///   - store: The file of the store.
    ///   - isolation: The actor that the caller is on.
    /// - Returns: The copy of what was there; nil if the store had no file, or an empty one.
    /// - Throws: As ``restore(_:isolation:)`` does, and ``StorageError/invalidConfiguration(message:)`` if a URL is not that of a file.
    @discardableResult
    public static func restore(
        _ copy: URL, to store: URL, isolation: isolated (any Actor)? = #isolation
    ) async throws -> StoreBackup? {
        let restore = StoreRestore(copy: try copy.placeOfFile(), store: try store.placeOfFile())
        return try await onOwnThread { isCancelled in
            try restore.run(now: Date()) { if isCancelled() { throw CancellationError() } }
        }
    }
}
