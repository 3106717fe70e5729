import GRDB
import Synchronization

// Entities in and out through the caches.

extension DatabaseActor {
    /// The entity with that id, or nil, where ``EntityStore/inMemory(_:_:)`` has none.
    func get<R: StorageKitEntityRecord>(
        _ store: EntityStore<R>, id: StoredValue, _ policy: CachePolicy?
    ) async throws -> R.E? {
        guard !store.isForTableAlone(policy) else {
            return try await convertingErrors(during: .read, of: store.table) {
                try await readRows { try $0.entity(store.table, id: id) }
            }
        }
        let ticket = store.memory?.ticket(for: id)
        let found = try await find(store, id: id, policy)
        guard let entity = found.entity else {
            if found.isForDisk { store.missOnDisk() }
            return nil
        }
        let ttl = policy?.ttl ?? store.defaultTTL
        if found.isCacheable, let id = store.key(entity, foundBy: id) {
            if let ticket { store.memory?.fill(id, with: entity, ttl: ttl, now: store.clock.now, ticket) }
            if found.isForDisk { store.fillDiskLater(id, size: found.size, ttl: ttl) }
        }
        return entity
    }

    private func find<R: StorageKitEntityRecord>(
        _ store: EntityStore<R>, id: StoredValue, _ policy: CachePolicy?
    ) async throws -> FoundEntity<R.E> {
        if policy != .cacheOnly, let isCacheable = store.isKnownCacheable,
            let isForDisk = policy == nil ? false : store.isDiskOn
        {
            var found = FoundEntity<R.E>(isCacheable: isCacheable, isForDisk: isCacheable && isForDisk)
            if readRowAtOnce(store.table, id: id, { try found.read(&$0, of: store.table) }) { return found }
        }
        return try await convertingErrors(during: .read, of: store.table) {
            try await readRows { db in try store.find(id, db, policy) }
        }
    }

    /// Inserts the entity, or updates the row that has its id, and puts it into the caches, if the writer is idle.
    ///
    /// It does not suspend: a function that may costs a tenth of the save, and has the entity copied into it.
    ///
    /// - Returns: Whether it was idle; otherwise nothing was done, and the entity is for ``saveLater(_:_:now:)``.
    package func saveAtOnce<R: StorageKitEntityRecord>(
        _ store: EntityStore<R>, _ entity: R.E, now: Date
    ) throws -> Bool {
        // What is wrong with the table is for the other way to say.
        guard store.table.sql.problem == nil, store.table.sql.versionColumn == nil else { return false }
        do {
            return try writeAtOnce { try save(entity, nil, store, now: now, $0) }
        } catch {
            throw StorageError.from(error, during: .write)
        }
    }

    /// The same, behind the writes before it.
    package func saveLater<R: StorageKitEntityRecord>(
        _ store: EntityStore<R>, _ entity: R.E, now: Date
    ) async throws {
        guard store.table.sql.versionColumn == nil else {
            _ = try await write(.save, entity, store, now: now)
            return
        }
        try await convertingErrors(during: .write, of: store.table) {
            // It is encoded in the caller's task, to whose values an encoder may look, and before others wait for it.
            let values = try store.table.values(of: entity, now: now)
            try await writer.queue(cacheWrite { [self] in try save(entity, values, store, now: now, $0) })
        }
    }

    /// Runs a write of one entity in a transaction of its own, and puts what it stored into memory. The disk cache is told of a save.
    ///
    /// - Returns: What is stored.
    package func write<R: StorageKitEntityRecord>(
        _ kind: EntityWrite<R>.Kind, _ entity: R.E, _ store: EntityStore<R>, now: Date
    ) async throws -> R.E {
        try await convertingErrors(during: .write, of: store.table) {
            let write = try EntityWrite(kind, entity, store.table, now: now)
            let written = Mutex<R.E?>(nil)
            try await writeBriefly(
                cacheWrite { [self] db in
                    // A conflict undoes what triggers did.
                    try inCacheTransaction(db) {
                        let saved = try write.run(db, isAlone: true)
                        if let id = try store.idToKeep(saved.entity, db), id == saved.values[write.idPlace] {
                            store.keepOnceCommitted(saved, id, now: now)
                            if kind == .save { try settingDiskEntry(id, size: saved.values.storedSize, store, db) {} }
                        }
                        written.withLock { $0 = saved.entity }
                    }
                })
            guard let entity = written.withLock({ $0 }) else {
                preconditionFailure("a write ended without an error and without having run")
            }
            return entity
        }
    }

    /// Deletes the row of an entity, if it has the entity's version.
    package func delete<R: StorageKitEntityRecord>(_ entity: R.E, _ store: EntityStore<R>) async throws {
        guard let id = store.table.storedId(entity.id) else { return }
        try await delete(id, store) { try $0.delete(entity, from: store.table, isAlone: true) }
    }

    /// Deletes the row with that id, if there is one.
    package func delete<R: StorageKitEntityRecord>(id: StoredValue, _ store: EntityStore<R>) async throws {
        try await delete(id, store) { try $0.delete(id: id, from: store.table, isAlone: true) }
    }

    /// - Parameter deletion: Deletes the row.
    private func delete<R>(
        _ id: StoredValue, _ store: EntityStore<R>, _ deletion: @escaping @Sendable (Database) throws -> Void
    ) async throws {
        try await convertingErrors(during: .write, of: store.table) {
            try await writeBriefly(
                cacheWrite { [self] db in
                    try inCacheTransaction(db) {
                        guard try store.diskOfWrite(db) != nil else { return try deletion(db) }
                        try changingDiskEntry(db, store, { try store.removeDiskEntry(id, db) }) { try deletion(db) }
                    }
                })
        }
    }

    /// - Parameter values: What the entity is stored as, if that is known.
    private func save<R: StorageKitEntityRecord>(
        _ entity: R.E, _ values: [StoredValue]?, _ store: EntityStore<R>, now: Date, _ db: Database
    ) throws {
        let table = store.table
        try db.namingConstraints(of: table, values: { try values ?? table.values(of: entity, now: now) }) {
            if try mayFailHalfway(db) {
                try inCacheTransaction(db) { try saveRow(entity, values, store, now: now, db) }
            } else {
                try saveRow(entity, values, store, now: now, db)
            }
            try db.refuseBrokenKeys()
        }
    }

    private func saveRow<R: StorageKitEntityRecord>(
        _ entity: R.E, _ values: [StoredValue]?, _ store: EntityStore<R>, now: Date, _ db: Database
    ) throws {
        let table = store.table
        // Where nobody keeps the entity, or its own decoder would refuse what it wrote, the row alone is written.
        guard let id = try store.idToKeep(entity, db),
            let saved = try? table.saved(values ?? table.values(of: entity, now: now))
        else {
            return try db.run(table.sql.upsertSQL, coders: table.coders) { row in
                if let values { return try EntityCodec.bind(values, to: &row, of: table) }
                try EntityCodec.bind(entity, to: &row, of: table, now: now)
            }
        }
        store.keepOnceCommitted(saved, id, now: now)
        try settingDiskEntry(id, size: saved.values.storedSize, store, db) {
            try db.run(table.sql.upsertSQL, coders: table.coders) {
                try EntityCodec.bind(saved.values, to: &$0, of: table)
            }
        }
    }

    /// Runs what writes a row and sets the row's disk entry, in one transaction.
    ///
    /// - Parameter write: Nothing, where the row is written already in the transaction around.
    private func settingDiskEntry<R>(
        _ id: StoredValue, size: @autoclosure () -> Int, _ store: EntityStore<R>, _ db: Database,
        _ write: () throws -> Void
    ) throws {
        guard let disk = try store.diskOfWrite(db) else { return try write() }
        let (size, expiry) = (size(), store.clock.now.expiry(after: store.defaultTTL))
        let isInTransaction = db.isInsideTransaction
        let renewal = try store.renewal(id, size: size, expiry: expiry, db)
        // A read that fails can cost the transaction as well.
        try store.checkTransaction(db, isExpected: isInTransaction)
        if let renewal {
            try write()
            return disk.cache.renew(renewal)
        }
        try changingDiskEntry(db, store, { try store.setDiskEntry(id, size: size, expiry: expiry, db) }, write)
    }

    /// Runs what writes or deletes a row and then changes the row's disk entry, in one transaction.
    ///
    /// - Parameter change: Says whether it could.
    private func changingDiskEntry<R>(
        _ db: Database, _ store: EntityStore<R>, _ change: () throws -> Bool, _ write: () throws -> Void
    ) throws {
        let isInTransaction = db.isInsideTransaction
        do {
            try inCacheTransaction(db) {
                try write()
                guard try change() else { throw FailedCacheError() }
            }
        } catch is FailedCacheError {
            // It was reported, and the row is written once more without it. If the transaction around is gone as well, that has to
            // begin again: a statement alone would commit by itself.
            try store.checkTransaction(db, isExpected: isInTransaction)
            try write()
        }
    }
}

/// The disk cache could not be written within the transaction of a save or a deletion.
private struct FailedCacheError: Error {}

/// What a look-up below the tier in memory found.
struct FoundEntity<Entity: Sendable>: Sendable {
    var entity: Entity?
    /// Whether caches can follow the table.
    var isCacheable = false
    /// Whether the disk cache is to know that it was used.
    var isForDisk = false
    /// The bytes of its columns, if the disk cache is to know.
    private(set) var size = 0

    /// Takes the entity from its row. To encode it only to measure it would take as long as to save it.
    mutating func read<R: StorageKitEntityRecord>(
        _ row: inout RowReader, of table: RecordTable<R>
    ) throws where R.E == Entity {
        entity = try R._decode(&row)
        if isForDisk { size = row.storedSize(ofFirst: table.columns.count) }
    }
}

extension EntityStore {
    fileprivate func find(_ id: StoredValue, _ db: Database, _ policy: CachePolicy?) throws -> FoundEntity<R.E> {
        let isCacheable = try isCacheable(db)
        if policy == .cacheOnly {
            return FoundEntity(entity: isCacheable ? try entityOnDisk(id, db) : nil, isCacheable: isCacheable)
        }
        let isForDisk = try policy != nil && isCacheable && isDiskOn(for: id, db)
        var found = FoundEntity<R.E>(isCacheable: isCacheable, isForDisk: isForDisk)
        try db.readRow(of: table, id: id) { try found.read(&$0, of: table) }
        return found
    }
}

extension CachePolicy {
    fileprivate var ttl: TimeInterval? {
        if case .localFirst(let ttl) = self { ttl } else { nil }
    }
}
