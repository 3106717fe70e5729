public import StorageRepo

/// Where a store begins: ``start(fileName:cacheTTL:diskQuota:schema:)`` opens the file, brings its schema up
/// to date and returns a ``Context``.
public enum StorageKit: Sendable {
    /// Opens a database in the user's Application Support folder.
    ///
    /// ```swift
    /// let context = try StorageKit.start(fileName: "notes.sqlite") { schema in
    ///     schema.autoSchema(NoteRecord.self)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fileName: The name of the file, created if missing.
    ///   - cacheTTL: How long cache entries live.
    ///   - diskQuota: The bytes that the values in the disk cache may have together.
    ///   - schema: Describes the schema. Without it, only the table of the disk cache is created.
    /// - Returns: The open store.
    /// - Throws: ``StorageError``: `databaseNotFound` if the file cannot be opened or created,
    ///   `invalidConfiguration` if it is no SQLite database, is read-only or locked, `migrationFailed` if a
    ///   step of the schema failed or found the file locked.
    public static func start(
        fileName: String = defaultFileName,
        cacheTTL: CacheTTL = .minutes(5),
        diskQuota: DiskQuota = .megabytes(30),
        schema: (inout AppMigrations) -> Void = { $0.addKVCache() }
    ) throws -> Context {
        try start(
            at: defaultDatabaseURL(fileName: fileName), cacheTTL: cacheTTL, diskQuota: diskQuota, schema: schema)
    }

    /// Opens a database at a place of your choice.
    ///
    /// - Parameters:
    ///   - url: The file, created with its folder if missing.
    ///   - cacheTTL: How long cache entries live.
    ///   - diskQuota: The bytes that the values in the disk cache may have together.
    ///   - schema: Describes the schema. Without it, only the table of the disk cache is created.
    /// - Returns: The open store.
    /// - Throws: ``StorageError``, as ``start(fileName:cacheTTL:diskQuota:schema:)`` does.
    public static func start(
        at url: URL,
        cacheTTL: CacheTTL = .minutes(5),
        diskQuota: DiskQuota = .megabytes(30),
        schema: (inout AppMigrations) -> Void = { $0.addKVCache() }
    ) throws -> Context {
        let options = StartOptions(defaultTTL: cacheTTL.seconds, diskQuotaBytes: diskQuota.bytes)
        return try start(at: url, options: options, schema: schema)
    }

    /// Opens a database with all options.
    ///
    /// - Parameters:
    ///   - url: The file, created with its folder if missing.
    ///   - options: Namespace, cache and connection settings.
    ///   - schema: Describes the schema. Without it, only the table of the disk cache is created.
    /// - Returns: The open store.
    /// - Throws: ``StorageError``, as ``start(fileName:cacheTTL:diskQuota:schema:)`` does.
    public static func start(
        at url: URL,
        options: StartOptions,
        schema: (inout AppMigrations) -> Void = { $0.addKVCache() }
    ) throws -> Context {
        try start(at: url, Start(options, schema))
    }

    static func start(at url: URL, _ start: Start) throws -> Context {
        let url = try url.placeOfFile()
        guard start.options.sharesFile else { return try start.open(file: url) }
        // To its last migration: of two processes that open a new file at once, the second finds it complete.
        return try url.coordinated { try start.open(file: $0) }
    }

    /// Opens a database in memory, which is gone with the last copy of the context: for tests and previews.
    ///
    /// ```swift
    /// let context = try StorageKit.startInMemory { $0.autoSchema(NoteRecord.self) }
    /// ```
    ///
    /// It has one connection, so that reads wait for writes, and no other process sees it. For the rest it behaves as a
    /// store in a file does.
    ///
    /// - Parameters:
    ///   - options: Namespace, cache and connection settings.
    ///   - schema: Describes the schema. Without it, only the table of the disk cache is created.
    /// - Returns: The open store.
    /// - Throws: ``StorageError/migrationFailed(id:underlying:)`` if a migration failed,
    ///   ``StorageError/invalidConfiguration(message:)`` if the options cannot be.
    public static func startInMemory(
        options: StartOptions = StartOptions(),
        schema: (inout AppMigrations) -> Void = { $0.addKVCache() }
    ) throws -> Context {
        try Start(options, schema).open(StorageContext.openInMemory)
    }

    /// The file name of a store that names none.
    public static let defaultFileName = "app.sqlite"

    /// The place of a database in the user's Application Support folder. The folder is not created.
    ///
    /// - Parameter fileName: The name of the file.
    /// - Throws: ``StorageError/invalidConfiguration(message:)`` if the system names no such folder or the name
    ///   is empty.
    public static func defaultDatabaseURL(fileName: String = defaultFileName) throws -> URL {
        guard let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        else {
            throw StorageError.invalidConfiguration(
                message: "this system has no Application Support folder; name a place with start(at:)")
        }
        return try databaseURL(fileName, in: folder)
    }

    static func databaseURL(_ fileName: String, in folder: URL) throws -> URL {
        guard !fileName.isEmpty else {
            throw StorageError.invalidConfiguration(message: "the file name of the database is empty")
        }
        return folder.appendingPathComponent(fileName)
    }
}
