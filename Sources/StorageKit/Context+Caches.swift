public import StorageRepo

extension StorageKit.Context {
    /// What the caches did since this context was opened, and what they hold.
    ///
    /// ```swift
    /// let caches = await context.cacheStatistics()
    /// print(caches.memory.hits, caches.memory.misses, caches.disk.bytes)
    /// ```
    public func cacheStatistics() async -> CacheStatistics {
        await stores.statistics()
    }

    /// Tells the monitor of ``cacheStatistics()``. Call it as often as your metrics want it; without a monitor it does
    /// nothing.
    public func reportCacheStatistics() async {
        guard let monitor = config.monitor else { return }
        monitor.record(.cacheStatistics(await cacheStatistics()))
    }
}
