/// A cache in memory: a bounded number of values, each with a lifetime. The values not used for longest go first.
///
/// ```swift
/// let cache = MemoryCache<String, User>(capacity: 100, defaultTTL: 300, clock: SystemClock())
/// await cache.set(user, for: "user-1", ttl: nil)
/// let cached = await cache.get("user-1")
/// ```
///
/// Every operation takes constant time, whatever the capacity.
public actor MemoryCache<Key: Hashable & Sendable, Value: Sendable> {
    /// How many values the cache keeps; none where it is 0 or less.
    public let capacity: Int
    /// Seconds a value lives when no other lifetime is given; 0 means for ever.
    public let defaultTTL: TimeInterval
    /// The source of time.
    public let clock: any Clock
    @usableFromInline var cache: LRUCache<Key, Value>

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: How many values the cache keeps.
    ///   - defaultTTL: Seconds a value lives when no other lifetime is given; 0 means for ever.
    ///   - clock: The source of time.
    public init(capacity: Int, defaultTTL: TimeInterval, clock: any Clock) {
        self.capacity = capacity
        self.defaultTTL = defaultTTL
        self.clock = clock
        cache = LRUCache(capacity: capacity)
    }

    /// The value of a key, or nil if there is none or it has expired. It counts as used.
    ///
    /// - Parameter key: The key.
    @inlinable
    public func get(_ key: Key) -> Value? {
        cache.lookup(key, now: clock.now)
    }

    /// Sets the value of a key. Over capacity, the value goes that was not used for longest.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    ///   - ttl: Seconds it lives, 0 for ever; nil for ``defaultTTL``.
    @inlinable
    public func set(_ value: Value, for key: Key, ttl: TimeInterval?) {
        cache.set(value, for: key, expiry: clock.now.expiry(after: ttl ?? defaultTTL))
    }

    /// Removes the value of a key.
    ///
    /// - Parameter key: The key.
    public func remove(_ key: Key) {
        cache.remove(key)
    }

    /// Removes all values.
    public func removeAll() {
        cache.removeAll()
    }
}
