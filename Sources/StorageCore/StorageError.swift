/// What a StorageKit call throws.
///
/// An `underlying` error is the cause as SQLite, Foundation or a codec reported it. Neither it nor
/// ``errorDescription`` carries the values bound to a statement, so that both may be logged; what is about one entity has its id.
public enum StorageError: Error, Sendable {
    /// The database file could not be opened or created at this path.
    case databaseNotFound(path: String)
    /// The migration of that id failed; the file is as it was before the start.
    case migrationFailed(id: String, underlying: any Error)
    /// A write failed and was rolled back.
    case transactionFailed(underlying: any Error)
    /// A write would have broken a rule of the schema, such as a unique index, and was rolled back.
    case constraintViolated(ConstraintViolation)

    /// An entry of a cache could not be read.
    case cacheReadFailed(key: String, underlying: any Error)
    /// An entry of a cache could not be written.
    case cacheWriteFailed(key: String, underlying: any Error)
    /// An entry of a cache is not a value of that type.
    case cacheDecodingFailed(key: String, type: String, underlying: any Error)
    /// A value could not be turned into a cache entry.
    case cacheEncodingFailed(key: String, type: String, underlying: any Error)

    /// The row of an entity has another version than the entity: somebody else has written it since. Nothing was written.
    ///
    /// `expected` is the entity's version, 0 if it was never stored; `found` is the row's, nil if there is no row any more.
    case conflict(type: String, id: String, expected: Int, found: Int?)

    /// No entity of that type has that id.
    case entityNotFound(type: String, id: String)
    /// A property of the entity cannot be stored; nothing was written.
    case entityEncodingFailed(type: String, underlying: any Error)
    /// A row of the table is not a value of the entity's type.
    case entityDecodingFailed(type: String, underlying: any Error)

    /// The name cannot be the name of a table.
    case invalidTableName(String)
    /// The store was set up in a way that cannot work; the message says what to change.
    case invalidConfiguration(message: String)

    /// A query failed: the SQL as far as there was any, and the cause.
    case queryFailed(sql: String?, underlying: any Error)
}

extension StorageError: LocalizedError {
    /// One sentence on what failed, with the table, column, migration or file that is at fault.
    public var errorDescription: String? {
        switch self {
        case .databaseNotFound(let path):
            "The database at '\(path)' cannot be opened or created" + StorageError.hindrance(at: path)
        case .migrationFailed(let id, let underlying):
            "Migration '\(id)' failed: \(underlying.storageMessage)"
        case .transactionFailed(let underlying):
            "Nothing was written: \(underlying.storageMessage)"
        case .constraintViolated(let violation):
            "The write was rolled back: \(violation)."
        case .cacheReadFailed(let key, let underlying):
            "Cache entry '\(key)' cannot be read: \(underlying.storageMessage)"
        case .cacheWriteFailed(let key, let underlying):
            "Cache entry '\(key)' cannot be written: \(underlying.storageMessage)"
        case .cacheDecodingFailed(let key, let type, let underlying):
            "Cache entry '\(key)' is no \(type): \(underlying.storageMessage)"
        case .cacheEncodingFailed(let key, let type, let underlying):
            "A value of type \(type) cannot be kept as cache entry '\(key)': \(underlying.storageMessage)"
        case .conflict(let type, let id, let expected, let found):
            "\(type) '\(id)' was changed by somebody else: it has "
                + (found.map { "version \($0) and not \(expected)" }
                    ?? "no row any more, where version \(expected) was expected")
        case .entityNotFound(let type, let id):
            "There is no \(type) with id '\(id)'."
        case .entityEncodingFailed(let type, let underlying):
            "A value of type \(type) cannot be stored: \(underlying.storageMessage)"
        case .entityDecodingFailed(let type, let underlying):
            "A row cannot be read as \(type): \(underlying.storageMessage)"
        case .invalidTableName(let name):
            "'\(name)' cannot be the name of a table: it is empty, begins with 'sqlite_', is 'grdb_migrations', or has a double "
                + "quotation mark or a NUL in it."
        case .invalidConfiguration(let message):
            message
        case .queryFailed(_, let underlying):
            "The query failed: \(underlying.storageMessage)"
        }
    }
}

extension StorageError {
    /// What stands in the way of a file, as far as that can be seen by now.
    private static func hindrance(at path: String) -> String {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if isFolder.boolValue { return ": there is a folder of that name." }
        if exists { return FileManager.default.isReadableFile(atPath: path) ? "." : ": it may not be read." }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            return ": there is no folder '\(folder)', and none can be made."
        }
        guard isFolder.boolValue else { return ": '\(folder)' is no folder." }
        return FileManager.default.isWritableFile(atPath: folder) ? "." : ": nothing may be written to '\(folder)'."
    }
}

extension StorageError: CustomStringConvertible {
    /// The same sentence as ``errorDescription``.
    public var description: String { errorDescription ?? "StorageError" }
}

extension Error {
    /// The error in words: its own description where it has one, never Foundation's "operation could not be
    /// completed", which says nothing. Then what to do about it, where that is known.
    fileprivate var storageMessage: String {
        let message = (self as? any LocalizedError)?.errorDescription ?? String(describing: self)
        return (self as? any AdvisedError)?.advice.map { "\(message) (\($0))" } ?? message
    }
}
