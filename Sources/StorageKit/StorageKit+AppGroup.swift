public import StorageRepo

extension StorageKit {
    /// Opens a database in the container of an app group, which an app shares with its extensions and widgets.
    ///
    /// ```swift
    /// let context = try StorageKit.start(appGroup: "group.com.example.notes") { schema in
    ///     schema.autoSchema(NoteRecord.self)
    /// }
    /// ```
    ///
    /// The file is opened as one that other processes open too: see ``StartOptions/sharesFile``.
    ///
    /// - Parameters:
    ///   - appGroup: The identifier of the group, as it stands in the entitlements of each target.
    ///   - fileName: The name of the file in the container, created if missing.
    ///   - options: Namespace, cache and connection settings.
    ///   - schema: Describes the schema. Without it, only the table of the disk cache is created.
    /// - Returns: The open store.
    /// - Throws: ``StorageError``: `invalidConfiguration` if the group has no container, and as
    ///   ``start(fileName:cacheTTL:diskQuota:schema:)`` does.
    public static func start(
        appGroup: String,
        fileName: String = defaultFileName,
        options: StartOptions = StartOptions(),
        schema: (inout AppMigrations) -> Void = { $0.addKVCache() }
    ) throws -> Context {
        var options = options
        options.sharesFile = true
        return try start(
            at: appGroupDatabaseURL(appGroup, fileName: fileName), options: options, schema: schema)
    }

    /// The place of a database in the container of an app group.
    ///
    /// - Parameters:
    ///   - appGroup: The identifier of the group.
    ///   - fileName: The name of the file.
    /// - Throws: ``StorageError/invalidConfiguration(message:)`` if the group has no container, as on systems without app
    ///   groups, or the name is empty.
    public static func appGroupDatabaseURL(_ appGroup: String, fileName: String = defaultFileName) throws -> URL {
        guard let container = FileManager.default.container(ofGroup: appGroup) else {
            throw StorageError.invalidConfiguration(
                message:
                    "the app group '\(appGroup)' has no container here: it has to stand in the entitlements of this "
                    + "target, on a system that has app groups")
        }
        return try databaseURL(fileName, in: container)
    }

    /// Keeps the stores of this process that share their file, ``StartOptions/sharesFile``, from writing, until
    /// ``resumeSharedStores()``. iOS ends an app that is suspended while it holds a lock on a shared file.
    ///
    /// A transaction under way is interrupted and undone. Writes throw ``StorageError/transactionFailed(underlying:)`` from now
    /// on; reads go on. Pools that an app opened itself are suspended too, where their configuration observes GRDB's
    /// `Database.suspendNotification`, which this posts.
    public static func suspendSharedStores() {
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Lets the stores that were suspended write again.
    public static func resumeSharedStores() {
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}

extension FileManager {
    fileprivate func container(ofGroup identifier: String) -> URL? {
        #if canImport(Darwin)
        guard let container = containerURL(forSecurityApplicationGroupIdentifier: identifier) else { return nil }
        #if os(macOS)
        // There each group is given a place, whether it is one or not, and the folder is made by whoever comes first and may.
        guard (try? createDirectory(at: container, withIntermediateDirectories: true)) != nil else { return nil }
        #endif
        return container
        #else
        return nil
        #endif
    }
}
