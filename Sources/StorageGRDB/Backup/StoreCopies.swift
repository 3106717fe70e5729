import GRDB
import StorageSQLite

/// The copies beside the file of a store.
///
/// Whoever makes one has the write lock of the store, so that there is one at a time, in all processes.
struct StoreCopies {
    let store: URL

    /// What the name of a copy that is not complete ends with. Nobody has one open but its maker.
    private static let partial = ".partial"

    init(of store: URL) {
        self.store = store.resolvingSymlinksInPath()
    }

    /// Those that are complete, newest first.
    func all() throws -> [StoreBackup] {
        try files().compactMap { StoreBackup($0, of: store) }.sorted { $0.date > $1.date }
    }

    /// Copies the store. Either the copy is there when this returns, and on the disk, or there is nothing.
    ///
    /// - Parameters:
    ///   - source: A connection to the store.
    ///   - from: The version that the store has.
    ///   - to: The version that it is to have; nil where a copy is put back.
    ///   - now: The time.
    ///   - progress: Called with the pages copied and all pages. What it throws ends the copying.
    /// - Throws: ``BackupError``, or what `progress` throws if that is a cancellation.
    func make(
        from source: Connection, from: String, to: String?, now: Date, progress: (Int, Int) throws -> Void
    ) throws -> StoreBackup {
        let date = now.later(than: try? all().first?.date)
        guard DateText(date) != nil else {
            let cause = StorageError.invalidConfiguration(
                message: "the time of the clock, which names the copy, is outside the years 1 to 9999")
            throw BackupError(path: folder.path, cause: cause)
        }
        let place = folder.appendingPathComponent(StoreBackup.name(of: store, date, from: from, to: to))
        do {
            let partial = URL(fileURLWithPath: place.path + StoreCopies.partial)
            // One of a process that was killed.
            try removePartial()
            defer { try? removePartial() }
            try partial.createFile(like: store)
            try source.copy(to: partial, progress: progress)
            partial.excludeFromSystemBackup()
            try partial.replace(place)
            guard let backup = StoreBackup(place, of: store) else { throw FileError(code: ENOENT) }
            return backup
        } catch let error as CancellationError {
            throw error
        } catch {
            throw BackupError(path: place.path, cause: error.ofGRDB)
        }
    }

    private var folder: URL { store.deletingLastPathComponent() }

    private func files() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).map(folder.appendingPathComponent)
    }

    private func removePartial() throws {
        for url in try files() {
            let name = url.lastPathComponent
            guard let end = name.range(of: StoreCopies.partial, options: .backwards)?.lowerBound,
                StoreBackup.parts(of: String(name[..<end]), store) != nil
            else { continue }
            try FileManager.default.removeItem(at: url)
        }
    }
}

extension Connection {
    /// Copies the database to a file that is there and empty.
    ///
    /// - Parameter progress: Called with the pages copied and all pages. What it throws ends the copying.
    func copy(to url: URL, progress: (Int, Int) throws -> Void = { _, _ in }) throws {
        let other = try Connection(path: url.path, .create)
        try copy(to: other, progress: progress)
        // One file, which needs no log beside it and can be read where nothing can be written.
        try other.run("PRAGMA journal_mode = DELETE")
    }
}
