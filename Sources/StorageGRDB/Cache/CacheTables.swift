import GRDB
import Synchronization

/// What is known of the disk cache's table in a database.
final class CacheTables: Sendable {
    private let state = Mutex(State())

    private struct State {
        var name = Name.unknown
        /// All that were asked for. They share the count of the bytes.
        var known: [String: CacheTable] = [:]
    }

    private enum Name {
        /// No schema was run yet, and the file was not asked.
        case unknown
        case none
        case named(String)

        init(_ name: String?) {
            if let name { self = .named(name) } else { self = .none }
        }
    }

    /// Says which table the disk cache has: the one that the schema of this start names, or none.
    func use(_ name: String?) {
        state.withLock { $0.name = Name(name) }
    }

    /// The table, as far as it was asked for before.
    var known: CacheTable? {
        state.withLock { state in
            if case .named(let name) = state.name { state.known[name] } else { nil }
        }
    }

    /// Whether it is known that there is no table.
    var hasNoTable: Bool {
        state.withLock { if case .none = $0.name { true } else { false } }
    }

    /// The table, or nil if there is none.
    ///
    /// - Parameter make: Makes what keeps the count of a table of that name.
    func table(_ db: Database, make: (String) -> CacheTable) throws -> CacheTable? {
        let isUnknown = state.withLock { if case .unknown = $0.name { true } else { false } }
        let found = isUnknown ? try Name(db.recordedCacheTable()) : .unknown
        return state.withLock { state in
            if case .unknown = state.name { state.name = found }
            guard case .named(let name) = state.name else { return nil }
            if let table = state.known[name] { return table }
            let table = make(name)
            state.known[name] = table
            return table
        }
    }

    /// To be called when a transaction that wrote to the disk cache was undone: what it counted does not hold.
    @Sendable func forgetCounts() {
        for table in state.withLock({ $0.known.values }) { table.forgetCount() }
    }
}

/// How often entries were removed from the disk cache of a file that somebody named, by whatever store of the process. An entry that
/// was to be set before that is set no more.
final class DiskRemovals: Sendable {
    /// By the hash of the key: a removal is rarely taken for that of another one.
    private let counts = Mutex([Int](repeating: 0, count: 64))

    func count(of key: StoredValue) -> Int { counts.withLock { $0[DiskRemovals.place(of: key)] } }

    /// To be called before the entry of a key is removed.
    func countRemoval(of key: String) {
        counts.withLock { $0[DiskRemovals.place(of: .text(key))] += 1 }
    }

    /// To be called before all entries are removed.
    func countRemovalOfAll() {
        counts.withLock { counts in for place in counts.indices { counts[place] += 1 } }
    }

    private static func place(of key: StoredValue) -> Int { key.hashValue & 63 }
}

extension DatabaseActor {
    var cacheTables: CacheTables { parts.value(of: CacheTables.self) { CacheTables() } }

    var diskRemovals: DiskRemovals { changes.parts.value(of: DiskRemovals.self) { DiskRemovals() } }

    /// Says which table the disk cache has: the one that the schema of this start names, or none.
    package func useCacheTable(_ name: String?) {
        cacheTables.use(name)
    }

    /// The table of the disk cache, or nil if there is none.
    func cacheTable(_ db: Database) throws -> CacheTable? {
        try cacheTables.table(db) { name in
            CacheTable(name: name) { [weak self] in self?.settleCacheSoon() }
        }
    }

    /// Runs a transaction that writes to the disk cache. What it counted does not hold if it fails, which has to be known before
    /// another begins.
    func inCacheTransaction<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        try db.atomically(body, ifUndone: cacheTables.forgetCounts)
    }

    /// A brief write that writes to the disk cache too.
    ///
    /// - Parameter body: Leaves nothing of what it did if it throws.
    func cacheWrite(_ body: @escaping @Sendable (Database) throws -> Void) -> Writer.BriefWrite {
        Writer.BriefWrite(body: body, ifUndone: cacheTables.forgetCounts)
    }
}

// MARK: - Rows that wait

extension DatabaseActor {
    /// Writes the times that wait for rows of the disk cache, in a moment.
    fileprivate func settleCacheSoon() {
        Task.detached(priority: .utility) { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            await self?.settleCache()
        }
    }

    /// Writes the times that wait for rows of the disk cache, after what is being written.
    package func settleCache() async {
        guard let table = cacheTables.known else { return }
        do {
            try await withWriter { [observer] db in
                try observer.withoutSchemaChanges { try table.writeWaitingTimes(db) }
            }
        } catch {
            // Without it entries end too early, which is no error. Nobody would try again while they wait.
            table.forgetCount()
        }
    }
}

extension Database {
    /// The cache table that the last schema made which made one.
    fileprivate func recordedCacheTable() throws -> String? {
        try recordedMigrations().compactMap { $0.following(CacheTableStep.idPrefix) }.last { try hasTable($0) }
    }
}
