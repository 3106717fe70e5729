import GRDB
import Synchronization

// The tier in the database file, of one entity type. What its entries mean stands at `CacheTable.mark`.

extension EntityStore {
    /// The table of the tier in the file, unless it is off or failed.
    func disk(_ db: Database) throws -> CacheTable? {
        guard hasDiskCache else { return nil }
        if let failed = failedSchema.withLock({ $0 }) {
            guard try db.schemaCookie() != failed else { return nil }
            failedSchema.withLock { $0 = nil }
        }
        return try queue.db.cacheTable(db)
    }

    /// The same for a write; nil too where the one before lost its transaction, and begins again.
    func diskOfWrite(_ db: Database) throws -> CacheTable? {
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
        if queue.db.cacheTables.known != nil { return true }
        return queue.db.cacheTables.hasNoTable ? false : nil
    }

    /// The same, where the database is asked. What goes wrong there is reported, and the tier is off then.
    ///
    /// - Throws: What would keep anything from being read: a lock, or a cancelled task.
    func isDiskOn(for id: StoredValue, _ db: Database) throws -> Bool {
        guard let key = diskKey(id) else { return false }
        return try unlessItFails(db, { .cacheReadFailed(key: key, underlying: $0) }) { try disk(db) != nil } ?? false
    }

    /// Whether the disk cache has an entry under a key. What goes wrong there is reported and counts as no entry; a broken entry is removed
    /// a moment later.
    ///
    /// - Returns: Nil where there is no disk cache.
    /// - Throws: What would keep anything from being read: a lock, or a cancelled task.
    private func onDisk(_ key: String, _ db: Database) throws -> (cache: CacheTable, hasEntry: Bool)? {
        try unlessItFails(db, { .cacheReadFailed(key: key, underlying: $0) }) {
            guard let cache = try disk(db) else { return nil }
            let entry = try cache.get(key, now: clock.now, db)
            if entry?.isOfTier == false {
                queue.report(
                    StorageError.cacheDecodingFailed(key: key, type: "\(R.E.self)", underlying: BrokenEntryError()))
                let removal = CacheQueue.Write(isFill: false, isDue: { _ in true }) { [self] db in
                    // It may have been set anew meanwhile.
                    if let cache = try disk(db), try cache.get(key, now: clock.now, db)?.isOfTier == false {
                        try cache.remove(key, db)
                    }
                }
                queue.writeLater(key, removal)
            }
            return (cache, entry?.isOfTier == true)
        }
    }

    /// The entity with that id, if the disk cache says that it was used.
    ///
    /// - Throws: What would keep anything from being read: a lock, or a cancelled task.
    func entityOnDisk(_ id: StoredValue, _ db: Database) throws -> R.E? {
        guard let key = diskKey(id) else { return nil }
        let isToFill = queue.isToFill(key)
        guard let found = try onDisk(key, db) else { return nil }
        let entity = found.hasEntry || isToFill ? try db.entity(table, id: id) : nil
        found.cache.noteRead(isHit: entity != nil)
        return entity
    }

    /// What setting the disk entry of an entity would come to, if that writes nothing now. What goes wrong is reported.
    ///
    /// - Throws: What would keep anything from being written: a lock, or a cancelled task.
    func renewal(_ id: StoredValue, size: Int, expiry: Date?, _ db: Database) throws -> CacheTable.Renewal? {
        guard let key = diskKey(id) else { return nil }
        return try unlessItFails(db, { .cacheWriteFailed(key: key, underlying: $0) }) {
            try disk(db)?.renewal(
                key, of: CacheTable.mark, size: size, expiry: expiry, now: clock.now, quota: config.diskQuotaBytes, db)
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
        guard let key = diskKey(id) else { return true }
        return try unlessItFails(db, { .cacheWriteFailed(key: key, underlying: $0) }) {
            try disk(db)?.set(
                key, to: CacheTable.mark, size: size, expiry: expiry, now: clock.now, quota: config.diskQuotaBytes, db)
            return true
        } ?? false
    }

    /// Removes the disk entry of an entity, in the transaction that deletes it. What goes wrong is reported and need not keep the entity
    /// from being deleted.
    ///
    /// - Returns: Whether nothing did.
    /// - Throws: What would keep anything from being written: a lock, or a cancelled task.
    func removeDiskEntry(_ id: StoredValue, _ db: Database) throws -> Bool {
        guard let key = diskKey(id) else { return true }
        queue.leaveOut(key)
        return try unlessItFails(db, { .cacheWriteFailed(key: key, underlying: $0) }) {
            try disk(db)?.remove(key, db)
            return true
        } ?? false
    }

    /// Counts that no entry can be there, since there is no row.
    func missOnDisk() {
        queue.db.cacheTables.known?.noteRead(isHit: false)
    }

    /// Keeps in the disk cache that an entity was read from the table, unless it has an entry: later, and together with others,
    /// since reading should not have to wait for a write.
    ///
    /// - Parameter size: The bytes of the entity. It is not here itself: all that were read within the moment would
    ///   stay in memory.
    func fillDiskLater(_ id: StoredValue, size: Int, ttl: TimeInterval) {
        guard let key = diskKey(id) else { return }
        let expiry = clock.now.expiry(after: ttl)
        queue.writeLater(
            key,
            CacheQueue.Write(isFill: true, expiry: expiry) { [self] db in
                guard let found = try onDisk(key, db) else { return false }
                found.cache.noteRead(isHit: found.hasEntry)
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
    private func diskKey(_ id: StoredValue) -> String? { id.idText.map { keyPrefix + $0 } }
}
