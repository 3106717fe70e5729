import GRDB

/// A cache in the database file: values as JSON by key, each with a lifetime, all of them within a quota.
///
/// It needs the table that `schema.addKVCache()` makes, and uses the one that the schema names.
///
/// ```swift
/// let cache = DiskCache<User>(db: context.storage.dbActor, config: context.config)
/// await cache.set(user, for: "user-1", ttl: 600)
/// let cached = await cache.get("user-1")
/// ```
///
/// Under ``KeyBuilder/entityKey(_:id:)`` it finds the entities that the store has saved or read, as their rows are now.
///
/// No call throws: what goes wrong is a miss, and is reported to `onError`.
public actor DiskCache<Value: Codable & Sendable> {
    private let db: DatabaseActor
    private let config: StorageConfig
    private let onError: ErrorHandler?
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder

    /// Creates a cache. All caches of one store share the table, its keys and its quota.
    ///
    /// - Parameters:
    ///   - db: The door to the database.
    ///   - config: The clock, the coders, the quota, and the lifetime of values that are set without one.
    ///   - onError: Called with each error, a ``StorageError``.
    public init(db: DatabaseActor, config: StorageConfig, onError: ErrorHandler? = nil) {
        self.db = db
        self.config = config
        self.onError = onError
        encoder = config.makeEncoder()
        decoder = config.makeDecoder()
    }

    /// The value of a key; nil if there is none, or it has expired, or it cannot be read, in which case it is removed.
    ///
    /// It is read and decoded off all actors: neither the caller's, which may be the main one, nor the cache's, where one value would
    /// wait for another.
    ///
    /// - Parameter key: The key.
    public nonisolated func get(_ key: String) async -> Value? {
        let now = config.clock.now
        let entry: CacheTable.Entry
        do {
            let found: CacheTable.Entry?
            if let known = db.cacheTables.known?.getAtOnce(key, now: now, db) {
                found = known
            } else {
                found = try await db.finishing { [db] in
                    try await db.readRows { try db.neededCacheTable($0).get(key, now: now, $0) }
                }
            }
            let isOfTier = found?.isOfTier == true
            let entity = isOfTier ? try await entity(ofEntry: key) : nil
            db.cacheTables.known?.noteRead(isHit: isOfTier ? entity != nil : found != nil)
            guard let found, !isOfTier else { return entity }
            entry = found
        } catch {
            report(.cacheReadFailed(key: key, underlying: error))
            return nil
        }
        do {
            guard !entry.isDamaged else { throw BrokenEntryError() }
            // An error of the decoder's own may say what stands in the entry.
            return try JSONText.decode(Value.self, from: entry.blob, with: decoder) {
                ColumnDecodingError(column: "blob", expected: "\(Value.self)", found: "BLOB")
            }
        } catch {
            report(.cacheDecodingFailed(key: key, type: "\(Value.self)", underlying: error))
            await write(key) { cache, db in
                // It may have been set anew meanwhile.
                if try cache.get(key, now: now, db)?.blob == entry.blob { try cache.remove(key, db) }
            }
            return nil
        }
    }

    /// The entity of an entry that a store has set when it saved or read one. Such an entry holds no copy: the row is read.
    private nonisolated func entity(ofEntry key: String) async throws -> Value? {
        guard let record = (Value.self as? any RegisteredEntity.Type)?.record ?? db.recordsInUse[Value.self] else {
            return nil
        }
        return try await entity(record, ofEntry: key) as? Value
    }

    private nonisolated func entity<R: StorageKitEntityRecord>(_ type: R.Type, ofEntry key: String) async throws -> R.E?
    {
        let table = RecordTable(type, coders: config.coders)
        guard let text = key.following(CacheTable.keyPrefix(R.E.self, config)), let id = table.storedId(text: text)
        else { return nil }
        return try await db.finishing { [db] in try await db.readRows { try $0.entity(table, id: id) } }
    }

    /// Sets the value of a key. Over the quota, expired values go first, then those that were set longest ago.
    ///
    /// - Parameters:
    ///   - value: The value. One that is larger than the quota or cannot be encoded is not kept, nor is the one before.
    ///   - key: The key.
    ///   - ttl: Seconds it lives, 0 for ever; nil for the configuration's.
    public func set(_ value: Value, for key: String, ttl: TimeInterval?) async {
        let blob: Data
        do {
            blob = try JSONText.data(of: value, with: encoder)
        } catch {
            report(.cacheEncodingFailed(key: key, type: "\(Value.self)", underlying: error))
            return await remove(key)
        }
        await write(key) { [config] table, db in
            // The time of its turn, so that what is set later has a later one.
            let now = config.clock.now
            let expiry = now.expiry(after: ttl ?? config.defaultTTL)
            try table.set(key, to: blob, expiry: expiry, now: now, quota: config.diskQuotaBytes, db)
        }
    }

    /// Removes the value of a key.
    ///
    /// - Parameter key: The key.
    public func remove(_ key: String) async {
        db.diskRemovals.countRemoval(of: key)
        await write(key) { try $0.remove(key, $1) }
    }

    /// Removes all values, those of other caches in the table too.
    public func removeAll() async {
        db.diskRemovals.countRemovalOfAll()
        await write("*") { try $0.removeAll($1) }
    }

    /// Removes all values that have expired. Reading passes them over anyway; this gives their space back.
    public func pruneExpired() async {
        let now = config.clock.now
        await write("*") { try $0.removeExpired(now: now, $1) }
    }

    private func write(_ key: String, _ body: @escaping @Sendable (CacheTable, Database) throws -> Void) async {
        do {
            try await db.finishing { [db] in
                try await db.writeBriefly(
                    db.cacheWrite { connection in
                        try db.inCacheTransaction(connection) { try body(db.neededCacheTable(connection), connection) }
                    })
            }
        } catch {
            report(.cacheWriteFailed(key: key, underlying: error))
        }
    }

    private nonisolated func report(_ error: StorageError) {
        onError?(error)
    }
}

extension RegisteredEntity {
    fileprivate static var record: any StorageKitEntityRecord.Type { Record.self }
}

extension DatabaseActor {
    /// Does something for a cache that tells nobody of errors, also where the task is cancelled: what was removed has to be gone, and
    /// what is there is no miss.
    func finishing<T: Sendable>(_ work: @escaping @Sendable () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch  where error.orCancellation is CancellationError {
            return try await Task(operation: work).value
        }
    }

    fileprivate func neededCacheTable(_ db: Database) throws -> CacheTable {
        if let table = try cacheTable(db) { return table }
        throw StorageError.invalidConfiguration(
            message: "the disk cache has no table: call addKVCache() in the schema")
    }
}
