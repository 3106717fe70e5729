import GRDB
import Synchronization

// The main road of `save` and `delete` of one entity: caches and table together.

extension EntityStore {
    /// Inserts the entity, or updates the row that has its id, and puts it into the caches, if the writer is idle.
    ///
    /// It does not suspend: a function that may costs a tenth of the save, and has the entity copied into it.
    ///
    /// - Returns: Whether it was idle; otherwise nothing was done, and the entity is for ``saveLater(_:now:)``.
    package func saveAtOnce(_ entity: R.E, now: Date) throws -> Bool {
        // What is wrong with the table is for the other way to say.
        guard table.sql.problem == nil, table.sql.versionColumn == nil else { return false }
        do {
            return try db.writeAtOnce { try save(entity, nil, now: now, $0) }
        } catch {
            throw StorageError.from(error, during: .write)
        }
    }

    /// The same, behind the writes before it.
    package func saveLater(_ entity: R.E, now: Date) async throws {
        guard table.sql.versionColumn == nil else {
            _ = try await write(.save, entity, now: now)
            return
        }
        try await db.convertingErrors(during: .write, of: table) {
            // It is encoded in the caller's task, to whose values an encoder may look, and before others wait for it.
            let values = try table.values(of: entity, now: now)
            try await db.writer.queue(db.cacheWrite { [self] in try save(entity, values, now: now, $0) })
        }
    }

    /// Runs a write of one entity in a transaction of its own, and puts what it stored into memory. The disk cache is told of a save.
    ///
    /// - Returns: What is stored.
    package func write(_ kind: EntityWrite<R>.Kind, _ entity: R.E, now: Date) async throws -> R.E {
        try await db.convertingErrors(during: .write, of: table) {
            let write = try EntityWrite(kind, entity, table, now: now)
            let written = Mutex<R.E?>(nil)
            try await db.writeBriefly(
                db.cacheWrite { [self] db in
                    // A conflict undoes what triggers did.
                    try self.db.inCacheTransaction(db) {
                        let saved = try write.run(db, isAlone: true)
                        if let id = try idToKeep(saved.entity, db), id == saved.values[write.idPlace] {
                            keepOnceCommitted(saved, id, now: now)
                            if kind == .save { try settingDiskEntry(id, size: saved.values.storedSize, db) {} }
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
    package func delete(_ entity: R.E) async throws {
        guard let id = table.storedId(entity.id) else { return }
        try await delete(id) { [self] db in try db.delete(entity, from: table, isAlone: true) }
    }

    /// Deletes the row with that id, if there is one.
    package func delete(id: StoredValue) async throws {
        try await delete(id) { [self] db in try db.delete(id: id, from: table, isAlone: true) }
    }

    /// - Parameter deletion: Deletes the row.
    private func delete(
        _ id: StoredValue, _ deletion: @escaping @Sendable (Database) throws -> Void
    ) async throws {
        try await db.convertingErrors(during: .write, of: table) {
            try await db.writeBriefly(
                db.cacheWrite { [self] db in
                    try self.db.inCacheTransaction(db) {
                        guard try diskOfWrite(db) != nil else { return try deletion(db) }
                        try changingDiskEntry(db, { try removeDiskEntry(id, db) }) { try deletion(db) }
                    }
                })
        }
    }

    /// - Parameter values: What the entity is stored as, if that is known.
    private func save(_ entity: R.E, _ values: [StoredValue]?, now: Date, _ db: Database) throws {
        try db.namingConstraints(of: table, values: { try values ?? table.values(of: entity, now: now) }) {
            if try self.db.mayFailHalfway(db) {
                try self.db.inCacheTransaction(db) { try saveRow(entity, values, now: now, db) }
            } else {
                try saveRow(entity, values, now: now, db)
            }
            try db.refuseBrokenKeys()
        }
    }

    private func saveRow(_ entity: R.E, _ values: [StoredValue]?, now: Date, _ db: Database) throws {
        try table.checkGivesId(to: entity, db)
        // Where nobody keeps the entity, or its own decoder would refuse what it wrote, the row alone is written.
        guard let id = try idToKeep(entity, db),
            let saved = try? table.saved(values ?? table.values(of: entity, now: now))
        else {
            return try db.run(table.sql.upsertSQL, coders: table.coders) { row in
                if let values { return try EntityCodec.bind(values, to: &row, of: table) }
                try EntityCodec.bind(entity, to: &row, of: table, now: now)
            }
        }
        keepOnceCommitted(saved, id, now: now)
        try settingDiskEntry(id, size: saved.values.storedSize, db) {
            try db.run(table.sql.upsertSQL, coders: table.coders) {
                try EntityCodec.bind(saved.values, to: &$0, of: table)
            }
        }
    }

    /// Runs what writes a row and sets the row's disk entry, in one transaction.
    ///
    /// - Parameter write: Nothing, where the row is written already in the transaction around.
    private func settingDiskEntry(
        _ id: StoredValue, size: @autoclosure () -> Int, _ db: Database, _ write: () throws -> Void
    ) throws {
        guard let disk = try diskOfWrite(db) else { return try write() }
        let (size, expiry) = (size(), clock.now.expiry(after: defaultTTL))
        let isInTransaction = db.isInsideTransaction
        let renewal = try renewal(id, size: size, expiry: expiry, db)
        // A read that fails can cost the transaction as well.
        try checkTransaction(db, isExpected: isInTransaction)
        if let renewal {
            try write()
            return disk.renew(renewal)
        }
        try changingDiskEntry(db, { try setDiskEntry(id, size: size, expiry: expiry, db) }, write)
    }

    /// Runs what writes or deletes a row and then changes the row's disk entry, in one transaction.
    ///
    /// - Parameter change: Says whether it could.
    private func changingDiskEntry(
        _ db: Database, _ change: () throws -> Bool, _ write: () throws -> Void
    ) throws {
        let isInTransaction = db.isInsideTransaction
        do {
            try self.db.inCacheTransaction(db) {
                try write()
                guard try change() else { throw FailedCacheError() }
            }
        } catch is FailedCacheError {
            // It was reported, and the row is written once more without it. If the transaction around is gone as well, that has to
            // begin again: a statement alone would commit by itself.
            try checkTransaction(db, isExpected: isInTransaction)
            try write()
        }
    }
}

/// The disk cache could not be written within the transaction of a save or a deletion.
private struct FailedCacheError: Error {}
