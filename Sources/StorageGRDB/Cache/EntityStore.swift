import GRDB
import Synchronization

/// What is kept for one entity type: its table, its caches, memory before the disk cache, and what is observed of it.
@usableFromInline
package final class EntityStore<R: StorageKitEntityRecord>: Sendable {
    @usableFromInline package let table: RecordTable<R>
    package let live: LiveTable<R>
    @usableFromInline let memory: EntityCache<R.E>?
    /// The source of time.
    @usableFromInline package let clock: any Clock
    private let queue: CacheQueue
    /// What the keys of disk entries begin with.
    private let keyPrefix: String
    private let diskTier = Mutex<DiskTier?>(nil)
    private let shape: SchemaMemo<TableShape>
    /// The schema in which the disk tier failed; it is off until that changes.
    private let failedSchema = Mutex<Int?>(nil)
    /// Whether the next write is to leave the tier in the file alone.
    private let skipsDisk = Atomic<Bool>(false)

    init(_ table: RecordTable<R>, _ queue: CacheQueue) {
        self.table = table
        self.queue = queue
        clock = queue.config.clock
        keyPrefix = DiskTier.keyPrefix(R.E.self, queue.config)
        shape = table.shape()
        live = LiveTable(table, shape, db: queue.db, onError: queue.config.onObservationError)
        let hub = queue.db.changes
        guard queue.config.memoryCapacity > 0, hub.canServeCaches else {
            memory = nil
            return
        }
        let cache = EntityCache<R.E>(hub: hub, capacity: queue.config.memoryCapacity) { table.storedSize(of: $0) }
        hub.tell(cache, of: table.name, idColumn: table.idColumn)
        memory = cache
    }

    package var db: DatabaseActor { queue.db }
    package var config: StorageConfig { queue.config }
    /// Seconds an entry lives when no policy says it.
    package var defaultTTL: TimeInterval { queue.config.defaultTTL }

    /// The entity with that id, if the policy lets memory give it and it is there. This waits for nobody.
    @inlinable
    package func inMemory(_ id: StoredValue, _ policy: CachePolicy?) -> R.E? {
        policy == .databaseOnly ? nil : memory?.get(id, clock: clock)
    }

    /// Reads the row with that id on the calling thread, where the policy and the caches ask for no more than that.
    ///
    /// The functions behind ``read(_:_:)`` suspend and look up types, which takes a tenth of the whole.
    ///
    /// - Parameter read: Reads the row, if there is one.
    /// - Returns: Whether there was a row or none. If not, nothing was done, or something went wrong.
    @usableFromInline
    package func readAtOnce(
        _ id: StoredValue, _ policy: CachePolicy?, _ read: (inout RowReader) throws -> Void
    ) -> Bool {
        guard isForTableAlone(policy) else { return false }
        return queue.db.readRowAtOnce(table, id: id, read)
    }

    /// The entity with that id, or nil, where memory does not give it.
    @usableFromInline
    package func read(_ id: StoredValue, _ policy: CachePolicy?) async throws -> R.E? {
        try await db.get(self, id: id, policy)
    }

    // MARK: - What may be kept

    /// The key to keep an entity under that was found by an id; nil if SQLite found it by another than its own, as under a
    /// collation that ignores case. It is the entity's own id and not an equal copy: to compare a text with itself is to
    /// compare two pointers.
    func key(_ entity: R.E, foundBy id: StoredValue) -> StoredValue? {
        table.storedId(entity.id).flatMap { $0 == id ? $0 : nil }
    }

    var hasDiskCache: Bool { queue.config.usesDiskCache }

    var hasCaches: Bool { memory != nil || hasDiskCache }

    /// Whether a read under that policy asks no tier and fills none.
    func isForTableAlone(_ policy: CachePolicy?) -> Bool {
        policy == .databaseOnly || (!hasCaches && policy != .cacheOnly)
    }

    /// Whether there are caches, and the table is one that they can follow.
    func isCacheable(_ db: Database) throws -> Bool {
        try hasCaches && shape(db).hasKnownRows
    }

    /// Those who read do not look for commits of others first: what they see may be older than that.
    private func shape(_ db: Database) throws -> TableShape {
        try shape.value(db, epoch: queue.db.changes.epoch)
    }

    /// Whether a trigger or a constraint may leave out a row that is saved.
    func mayLeaveRowsOut(_ db: Database) throws -> Bool {
        // Who writes sees the newest schema.
        queue.db.changes.catchUp()
        return try !shape(db).keepsValues
    }

    /// The id of an entity that is saved, if somebody is there to have it and the table is one that can be followed.
    func idToKeep(_ entity: R.E, _ db: Database) throws -> StoredValue? {
        guard hasCaches || live.observesRows, let id = table.storedId(entity.id), hasCaches || live.observes(id) else {
            return nil
        }
        let shape = try shape(db)
        return shape.hasKnownRows && shape.keepsValues ? id : nil
    }

    /// Whether the table is one that caches can follow; nil if the database has to be asked.
    var isKnownCacheable: Bool? { shape.known(epoch: queue.db.changes.epoch)?.hasKnownRows }

    /// Has memory keep what is being saved, and whoever observes it get it, once that is committed.
    func keepOnceCommitted(_ saved: SavedEntity<R.E>, _ id: StoredValue, now: Date) {
        db.observer.fillOnceCommitted(
            .init(table: table.sql.lowercasedName, id: id) { [self] in
                memory?.replace(id, with: saved.entity, ttl: defaultTTL, now: now)
                live.offer(saved, for: id)
            })
    }

    // MARK: - Disk

    /// The tier in the file, unless it is off or failed.
    func disk(_ db: Database) throws -> DiskTier? {
        guard hasDiskCache else { return nil }
        if let failed = failedSchema.withLock({ $0 }) {
            guard try db.schemaCookie() != failed else { return nil }
            failedSchema.withLock { $0 = nil }
        }
        if let tier = diskTier.withLock({ $0 }) { return tier }
        guard let cache = try queue.db.cacheTable(db) else { return nil }
        let tier = DiskTier(cache, config: queue.config)
        diskTier.withLock { $0 = tier }
        return tier
    }

    /// The same for a write; nil too where the one before lost its transaction, and begins again.
    func diskOfWrite(_ db: Database) throws -> DiskTier? {
        skipsDisk.exchange(false, ordering: .relaxed) ? nil : try disk(db)
    }

    /// Says where the transaction around a write was lost with its disk entry. It has to begin again, and the row is written alone then: a
    /// disk that is full still is.
    ///
    /// - Parameter isExpected: Whether there was a transaction.
    /// - Throws: `LostTransaction`.
    func checkTransaction(_ db: Database, isExpected: Bool) throws {
        guard db.isInsideTransaction != isExpected else { return }
        skipsDisk.store(true, ordering: .relaxed)
        throw LostTransaction()
    }

    /// Whether there is a tier in the file, and it did not fail; nil if the database has to be asked.
    var isDiskOn: Bool? {
        guard hasDiskCache else { return false }
        guard failedSchema.withLock({ $0 }) == nil else { return nil }
        if diskTier.withLock({ $0 }) != nil { return true }
        return queue.db.cacheTables.hasNoTable ? false : nil
    }

    /// The same, where the database is asked. What goes wrong there is reported, and the tier is off then.
    ///
    /// - Throws: What would keep anything from being read: a lock, or a cancelled task.
    func isDiskOn(for id: StoredValue, _ db: Database) throws -> Bool {
        guard let key = key(id) else { return false }
        return try unlessItFails(db, { .cacheReadFailed(key: key, underlying: $0) }) { try disk(db) != nil } ?? false
    }

    /// Whether the disk cache has an entry under a key. What goes wrong there is reported and counts as no entry; a broken entry is removed
    /// a moment later.
    ///
    /// - Returns: Nil where there is no disk cache.
    /// - Throws: What would keep anything from being read: a lock, or a cancelled task.
    private func onDisk(_ key: String, _ db: Database) throws -> (tier: DiskTier, hasEntry: Bool)? {
        try unlessItFails(db, { .cacheReadFailed(key: key, underlying: $0) }) {
            guard let tier = try disk(db) else { return nil }
            switch try tier.find(key, db) {
            case .entry: return (tier, true)
            case .broken:
                queue.report(
                    StorageError.cacheDecodingFailed(key: key, type: "\(R.E.self)", underlying: BrokenEntryError()))
                let removal = CacheQueue.Write(isFill: false, isDue: { _ in true }) { [self] db in
                    // It may have been set anew meanwhile.
                    if let tier = try disk(db), case .broken = try tier.find(key, db) { try tier.remove(key, db) }
                }
                queue.writeLater(key, removal)
            case .nothing: break
            }
            return (tier, false)
        }
    }

    /// The entity with that id, if the disk cache says that it was used.
    ///
    /// - Throws: What would keep anything from being read: a lock, or a cancelled task.
    func entityOnDisk(_ id: StoredValue, _ db: Database) throws -> R.E? {
        guard let key = key(id) else { return nil }
        let isToFill = queue.isToFill(key)
        guard let found = try onDisk(key, db) else { return nil }
        let entity = found.hasEntry || isToFill ? try db.entity(table, id: id) : nil
        found.tier.cache.count(isHit: entity != nil)
        return entity
    }

    /// What setting the disk entry of an entity would come to, if that writes nothing now. What goes wrong is reported.
    ///
    /// - Throws: What would keep anything from being written: a lock, or a cancelled task.
    func renewal(_ id: StoredValue, size: Int, expiry: Date?, _ db: Database) throws -> CacheTable.Renewal? {
        guard let key = key(id) else { return nil }
        return try unlessItFails(db, { .cacheWriteFailed(key: key, underlying: $0) }) {
            try disk(db)?.renewal(key, size: size, expiry: expiry, db)
        }
    }

    /// Sets the disk entry of an entity, in the transaction that saves it or later. What goes wrong is reported and need not keep
    /// the entity from being saved.
    ///
    /// - Parameters:
    ///   - size: The bytes of the entity.
    ///   - expiry: When the entry ends; nil for never.
    /// - Returns: Whether nothing did.
    /// - Throws: What would keep anything from being written: a lock, or a cancelled task.
    func setDiskEntry(_ id: StoredValue, size: Int, expiry: Date?, _ db: Database) throws -> Bool {
        guard let key = key(id) else { return true }
        return try unlessItFails(db, { .cacheWriteFailed(key: key, underlying: $0) }) {
            try disk(db)?.set(key, size: size, expiry: expiry, db)
            return true
        } ?? false
    }

    /// Removes the disk entry of an entity, in the transaction that deletes it. What goes wrong is reported and need not keep the entity
    /// from being deleted.
    ///
    /// - Returns: Whether nothing did.
    /// - Throws: What would keep anything from being written: a lock, or a cancelled task.
    func removeDiskEntry(_ id: StoredValue, _ db: Database) throws -> Bool {
        guard let key = key(id) else { return true }
        queue.leaveOut(key)
        return try unlessItFails(db, { .cacheWriteFailed(key: key, underlying: $0) }) {
            try disk(db)?.remove(key, db)
            return true
        } ?? false
    }

    /// Counts that no entry can be there, since there is no row.
    func missOnDisk() {
        diskTier.withLock { $0 }?.cache.count(isHit: false)
    }

    /// Keeps in the disk cache that an entity was read from the table, unless it has an entry: later, and together with others,
    /// since reading should not have to wait for a write.
    ///
    /// - Parameter size: The bytes of the entity. It is not here itself: all that were read within the moment would
    ///   stay in memory.
    func fillDiskLater(_ id: StoredValue, size: Int, ttl: TimeInterval) {
        guard let key = key(id) else { return }
        let expiry = clock.now.expiry(after: ttl)
        queue.writeLater(
            key,
            CacheQueue.Write(isFill: true, expiry: expiry) { [self] db in
                guard let found = try onDisk(key, db) else { return false }
                found.tier.cache.count(isHit: found.hasEntry)
                return !found.hasEntry
            } run: { [self] db in
                _ = try setDiskEntry(id, size: size, expiry: expiry, db)
            })
    }

    /// Asks the tier in the file. What goes wrong is reported, and the tier is off until the schema changes; a full disk has room again
    /// at some time, and is no reason.
    ///
    /// - Returns: Nil if something went wrong.
    /// - Throws: The error, if it says nothing of the cache.
    private func unlessItFails<T>(
        _ db: Database, _ named: (any Error) -> StorageError, _ body: () throws -> T?
    ) throws -> T? {
        do {
            return try body()
        } catch {
            if error.isOfThisCall { throw error }
            if !error.isOfTheDisk {
                let schema = try? db.schemaCookie()
                failedSchema.withLock { $0 = schema }
            }
            queue.report(named(error))
            return nil
        }
    }

    /// The key of a disk entry; nil for an id that has no text to know it by.
    private func key(_ id: StoredValue) -> String? { id.idText.map { keyPrefix + $0 } }
}

extension RecordTable {
    /// The bytes of an entity's columns.
    fileprivate func storedSize(of entity: R.E) -> Int {
        (try? values(of: entity, now: .distantPast))?.storedSize ?? 0
    }
}
