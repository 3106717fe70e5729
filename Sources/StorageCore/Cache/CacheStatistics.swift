/// What the caches of a store did since it was opened, and what they hold.
///
/// ```swift
/// let memory = await context.cacheStatistics().memory
/// print("\(memory.hits) of \(memory.hits + memory.misses) from memory")
/// ```
public struct CacheStatistics: Sendable, Equatable {
    /// The numbers of one tier.
    public struct Tier: Sendable, Equatable {
        /// Reads that found a value.
        public var hits = 0
        /// Reads that found none.
        public var misses = 0
        /// Values that had to go for others: over capacity, or over the quota.
        public var evictions = 0
        /// Values there are now; on disk, entries, of which those count too that have expired or whose row is gone.
        public var count = 0
        /// The bytes that the values have as stored in the database; in memory a Swift value takes somewhat more. An entity counts in
        /// both tiers, although the one on disk has no copy of it.
        public var bytes = 0

        /// Creates zeroes.
        public init() {}
    }

    /// The tier in memory.
    public var memory = Tier()
    /// The tier in the database file; zeroes where it is off.
    public var disk = Tier()

    /// Creates zeroes.
    public init() {}
}

extension CacheStatistics.Tier {
    /// Adds the numbers of another part of the tier.
    package mutating func add(_ other: CacheStatistics.Tier) {
        hits += other.hits
        misses += other.misses
        evictions += other.evictions
        count += other.count
        bytes += other.bytes
    }
}
