import StorageKit

/// The caches as a program uses them for its own values.
extension KitStore {
    /// Sets each key in the disk cache to a number.
    func setEach(_ keys: [String], from number: Int) async -> Int {
        let cache = DiskCache<Setting>(db: context.storage.dbActor, config: context.config)
        for (offset, key) in keys.enumerated() { await cache.set(Setting(number + offset), for: key, ttl: nil) }
        return keys.count
    }

    /// Has the disk cache write what it would write a moment later.
    func settleDiskCache() async {
        await DiskCache<Setting>(db: context.storage.dbActor, config: context.config).pruneExpired()
    }

    /// Empties both tiers of all users.
    func emptyCaches() async throws {
        await settleDiskCache()
        // A write to a row makes the tier in memory forget it.
        try await context.storage.dbActor.write {
            try $0.execute(sql: "DELETE FROM kv_cache; UPDATE users SET age = age")
        }
    }

    /// Gets each key from the disk cache.
    ///
    /// - Returns: How many were there.
    func countEach(_ keys: [String]) async -> Int {
        let cache = DiskCache<Setting>(db: context.storage.dbActor, config: context.config)
        var found = 0
        for key in keys where await cache.get(key) != nil { found += 1 }
        return found
    }
}
