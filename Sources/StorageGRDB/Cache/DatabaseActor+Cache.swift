import GRDB
import Synchronization

/// What is known of the disk cache's table in a database.
final class CacheTables: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// Its name, or nil where there is none. Unknown until a schema was run, or the file was asked.
        var name: String??
        /// All that were asked for. They share the count of the bytes.
        var known: [String: CacheTable] = [:]
    }

    /// Says which table the disk cache has: the one that the schema of this start names, or none.
    func use(_ name: String?) {
        state.withLock { $0.name = .some(name) }
    }

    /// The table, as far as it was asked for before.
    var known: CacheTable? {
        state.withLock { state in state.name.flatMap { $0 }.flatMap { state.known[$0] } }
    }

    /// Whether it is known that there is no table.
    var isNone: Bool {
        state.withLock { $0.name == .some(nil) }
    }

    /// The table, or nil if there is none.
    ///
    /// - Parameter make: Makes what keeps the count of a table of that name.
    func table(_ db: Database, make: (String) -> CacheTable) throws -> CacheTable? {
        let name = try state.withLock { $0.name } ?? db.recordedCacheTable()
        return state.withLock { state in
            state.name = .some(name)
            guard let name else { return nil }
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
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .acquiring) }

    /// To be called before they are removed.
    func countOne() {
        number.add(1, ordering: .acquiringAndReleasing)
    }
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
            CacheTable(name: name, changesOfOthers: { [observer] in observer.changesOfOthers }) { [weak self] in
                self?.settleCacheSoon()
            }
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
        Writer.BriefWrite(body: body, ifUndone: cacheTables.forgetCounts, isAtomic: true)
    }
}

// MARK: - Rows that wait

extension DatabaseActor {
    /// Tells rows of the disk cache what waits for them, in a moment.
    fileprivate func settleCacheSoon() {
        Task.detached(priority: .utility) { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            await self?.settleCache()
        }
    }

    /// Tells rows of the disk cache what waits for them, after what is being written.
    package func settleCache() async {
        guard let table = cacheTables.known else { return }
        do {
            try await withWriter { [observer] db in
                try observer.withoutSchemaChanges { try table.settle(db) }
            }
        } catch {
            // Without it entries end too early, which is no error. Nobody would try again while they wait.
            table.forgetCount()
        }
    }
}

// MARK: - Entities through the tiers

extension DatabaseActor {
    /// The entity with that id, or nil, where ``EntityTiers/inMemory(_:_:)`` has none.
    func get<R: StorageKitEntityRecord>(
        _ tiers: EntityTiers<R>, id: StoredValue, _ policy: CachePolicy?
    ) async throws -> R.E? {
        guard !tiers.isForTableAlone(policy) else { return try await fetchOne(tiers.table, id: id) }
        let ticket = tiers.memory?.ticket(for: id)
        let found = try await find(tiers, id: id, policy)
        guard let entity = found.entity else {
            if found.isForDisk { tiers.missOnDisk() }
            return nil
        }
        let ttl = policy?.ttl ?? tiers.defaultTTL
        if found.isFit, let id = tiers.key(entity, foundBy: id) {
            if let ticket { tiers.memory?.fill(id, with: entity, ttl: ttl, now: tiers.clock.now, ticket) }
            if found.isForDisk { tiers.fillDiskLater(id, with: entity, ttl: ttl) }
        }
        return entity
    }

    private func find<R: StorageKitEntityRecord>(
        _ tiers: EntityTiers<R>, id: StoredValue, _ policy: CachePolicy?
    ) async throws -> FoundEntity<R.E> {
        if policy != .cacheOnly, let isFit = tiers.isKnownFit, let isForDisk = policy == nil ? false : tiers.isDiskOn {
            var found = FoundEntity<R.E>(isFit: isFit, isForDisk: isFit && isForDisk)
            if readRowAtOnce(tiers.table, id: id, { found.entity = try R._decode(&$0) }) { return found }
        }
        return try await converting(.read, tiers.table) {
            try await readRows { db in try tiers.find(id, db, policy) }
        }
    }

    /// Inserts the entity, or updates the row that has its id, and puts it into the tiers, if the writer is idle.
    ///
    /// It does not suspend: a function that may costs a tenth of the save, and has the entity copied into it.
    ///
    /// - Returns: Whether it was idle; otherwise nothing was done, and the entity is for ``upsertLater(_:_:now:)``.
    package func upsertAtOnce<R: StorageKitEntityRecord>(
        _ tiers: EntityTiers<R>, _ entity: R.E, now: Date
    ) throws -> Bool {
        // What is wrong with the table is for the other way to say.
        guard tiers.table.sql.problem == nil, tiers.table.sql.versionColumn == nil else { return false }
        do {
            return try writeAtOnce { db in
                try db.namingConstraints(of: entity, in: tiers.table, now: now) {
                    try save(entity, tiers, now: now, db)
                }
            }
        } catch {
            throw StorageError.from(error, during: .write)
        }
    }

    /// The same, behind the writes before it.
    package func upsertLater<R: StorageKitEntityRecord>(
        _ tiers: EntityTiers<R>, _ entity: R.E, now: Date
    ) async throws {
        guard tiers.table.sql.versionColumn == nil else {
            _ = try await write(.save, entity, tiers, now: now)
            return
        }
        try await converting(.write, tiers.table) {
            try await writeSoon(
                cacheWrite { [self] db in
                    try db.namingConstraints(of: entity, in: tiers.table, now: now) {
                        try save(entity, tiers, now: now, db)
                    }
                })
        }
    }

    /// Runs a write of one entity in a transaction of its own, and puts what it stored into memory.
    ///
    /// - Returns: What is stored.
    package func write<R: StorageKitEntityRecord>(
        _ kind: EntityWrite<R>.Kind, _ entity: R.E, _ tiers: EntityTiers<R>, now: Date
    ) async throws -> R.E {
        try await converting(.write, tiers.table) {
            let write = try EntityWrite(kind, entity, tiers.table, now: now)
            let written = Mutex<R.E?>(nil)
            try await writeBriefly(
                // A conflict undoes what triggers did.
                .atomically { [observer] db in
                    let saved = try write.run(db, isAlone: true)
                    if let id = try tiers.idToKeep(saved.entity, db), id == saved.values[write.idPlace] {
                        let keep = { @Sendable in tiers.keep(saved, id, ttl: tiers.defaultTTL, now: now) }
                        observer.fill(.init(table: tiers.table.sql.lowercasedName, id: id, fill: keep))
                    }
                    written.withLock { $0 = saved.entity }
                })
            guard let entity = written.withLock({ $0 }) else {
                preconditionFailure("a write ended without an error and without having run")
            }
            return entity
        }
    }

    /// Deletes the row of an entity, if it has the entity's version.
    package func delete<R: StorageKitEntityRecord>(_ entity: R.E, from table: RecordTable<R>) async throws {
        try await converting(.write, table) {
            try await writeBriefly(.atomically { try $0.delete(entity, from: table, isAlone: true) })
        }
    }

    private func save<R: StorageKitEntityRecord>(
        _ entity: R.E, _ tiers: EntityTiers<R>, now: Date, _ db: Database
    ) throws {
        if try tiers.mayFailHalfway(db) {
            try db.atomically { try saveRow(entity, tiers, now: now, db) }
        } else {
            try saveRow(entity, tiers, now: now, db)
        }
    }

    private func saveRow<R: StorageKitEntityRecord>(
        _ entity: R.E, _ tiers: EntityTiers<R>, now: Date, _ db: Database
    ) throws {
        // What cannot be read back is for the table alone to judge.
        guard let id = try tiers.idToKeep(entity, db), let saved = try? tiers.saved(entity, now: now) else {
            return try db.run(tiers.table.sql.upsertSQL, coders: tiers.table.coders) {
                try EntityCodec.bind(entity, to: &$0, of: tiers.table, now: now)
            }
        }
        let ttl = tiers.defaultTTL
        observer.fill(
            .init(table: tiers.table.sql.lowercasedName, id: id) { tiers.keep(saved, id, ttl: ttl, now: now) })
        guard let disk = try tiers.disk(db) else { return try upsert(saved.values, into: tiers.table, db) }
        if let renewal = try tiers.renewal(id, size: saved.values.storedSize, ttl: ttl, db) {
            try upsert(saved.values, into: tiers.table, db)
            disk.cache.renew(renewal)
        } else {
            try upsert(saved.values, tiers, id, ttl: ttl, db)
        }
    }

    /// Upserts a row and sets its disk entry, in one transaction.
    private func upsert<R: StorageKitEntityRecord>(
        _ values: [StoredValue], _ tiers: EntityTiers<R>, _ id: StoredValue, ttl: TimeInterval, _ db: Database
    ) throws {
        do {
            try inCacheTransaction(db) {
                try upsert(values, into: tiers.table, db)
                guard try tiers.setDiskEntry(id, size: values.storedSize, ttl: ttl, db) else {
                    throw FailedCacheError()
                }
            }
        } catch is FailedCacheError {
            // It was reported, and the disk tier is off now. What was begun could perhaps not be committed.
            try upsert(values, into: tiers.table, db)
        }
    }

    /// Inserts a row whose columns have those values, or updates the one that has its id.
    private func upsert<R>(_ values: [StoredValue], into table: RecordTable<R>, _ db: Database) throws {
        try db.run(table.sql.upsertSQL, coders: table.coders) { try EntityCodec.bind(values, to: &$0, of: table) }
    }
}

/// The disk cache could not be written within the transaction of a save.
private struct FailedCacheError: Error {}

/// What a look-up below the tier in memory found.
struct FoundEntity<Entity: Sendable>: Sendable {
    var entity: Entity?
    /// Whether caches can follow the table.
    var isFit = false
    /// Whether the disk cache is to know that it was used.
    var isForDisk = false
}

extension EntityTiers {
    fileprivate func find(_ id: StoredValue, _ db: Database, _ policy: CachePolicy?) throws -> FoundEntity<R.E> {
        let isFit = try isFit(db)
        if policy == .cacheOnly {
            return FoundEntity(entity: isFit ? try entityOnDisk(id, db) : nil, isFit: isFit)
        }
        let isForDisk = try policy != nil && isFit && isDiskOn(for: id, db)
        return FoundEntity(entity: try db.entity(table, id: id), isFit: isFit, isForDisk: isForDisk)
    }
}

extension CachePolicy {
    fileprivate var ttl: TimeInterval? {
        if case .localFirst(let ttl) = self { ttl } else { nil }
    }
}

extension Database {
    /// The cache table that the last schema made which made one.
    fileprivate func recordedCacheTable() throws -> String? {
        let prefix = CacheTableStep.idPrefix
        let ids = try recordedMigrations().filter { $0.hasPrefix(prefix) }
        return try ids.reversed().map { String($0.dropFirst(prefix.count)) }.first { try hasTable($0) }
    }
}
