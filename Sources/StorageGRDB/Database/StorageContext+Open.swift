import GRDB

extension StorageContext {
    /// Opens the file of a store, and creates its folder if missing.
    ///
    /// - Throws: `StorageError` that says why the file cannot be opened.
    package static func open(_ url: URL, _ options: PoolOptions) throws -> StorageContext {
        let path = url.path
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw StorageError.databaseNotFound(path: path)
        }
        do {
            let pool = try DatabasePool(path: path, configuration: options.configuration())
            return StorageContext(pool: pool, dbActor: DatabaseActor(pool: pool))
        } catch {
            throw StorageError.from(error, during: .open(path: path))
        }
    }
}
