public import StorageRepo

extension StorageKit.Context {
    /// What the caches did since this context was opened, and what they hold.
    ///
    /// ```swift
    /// let caches = await context.cacheStatistics()
    /// print(caches.memory.hits, caches.memory.misses, caches.disk.bytes)
    /// ```
    public func cacheStatistics() async -> CacheStatistics {
        await tiers.statistics()
    }
}
