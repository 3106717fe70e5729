public import Synchronization

/// A cache in memory: a bounded number of values, each with a lifetime. What has expired goes first, then the values not used for
/// longest.
///
/// ```swift
/// let cache = MemoryCache<String, User>(capacity: 100, defaultTTL: 300, clock: SystemClock())
/// await cache.set(user, for: "user-1", ttl: nil)
/// let cached = await cache.get("user-1")
/// ```
///
/// A look-up takes constant time, whatever the capacity, and a change hardly more. A short lock guards the values, and not the
/// actor: a call stays on the caller's actor, since a hop to another costs more than a look-up.
public actor MemoryCache<Key: Hashable & Sendable, Value: Sendable> {
    // Methods are inlinable and `final`, so that an app's compiler makes each for the app's own key and value. Without `final` it
    // calls through the actor's table of methods, which has those for any type alone, and a look-up takes half as long again.

    /// How many values the cache keeps; none where it is 0 or less.
    public let capacity: Int
    /// Seconds a value lives when no other lifetime is given; 0 means for ever.
    public let defaultTTL: TimeInterval
    /// The source of time.
    public let clock: any Clock
    @usableFromInline let cache: Mutex<LRUCache<Key, Value>>

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
        cache = Mutex(LRUCache(capacity: capacity))
    }

    /// The value of a key, or nil if there is none or it has expired. It counts as used.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isolation: The caller's actor, which is not left.
    @inlinable
    public final func get(_ key: Key, isolation: isolated (any Actor)? = #isolation) async -> Value? {
        cache.withLock { $0.lookup(key, now: clock.now) }
    }

    /// Sets the value of a key. Over capacity, one that has expired goes, or else the one that was not used
    /// for longest.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    ///   - ttl: Seconds it lives, 0 for ever; nil for ``defaultTTL``.
    ///   - isolation: The caller's actor, which is not left.
    @inlinable
    public final func set(
        _ value: Value, for key: Key, ttl: TimeInterval?, isolation: isolated (any Actor)? = #isolation
    ) async {
        let now = clock.now
        let expiry = now.expiry(after: ttl ?? defaultTTL)
        cache.withLock { _ = $0.set(value, for: key, expiry: expiry, now: now) }
    }

    /// Removes the value of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isolation: The caller's actor, which is not left.
    @inlinable
    public final func remove(_ key: Key, isolation: isolated (any Actor)? = #isolation) async {
        cache.withLock { _ = $0.remove(key) }
    }

    /// Removes all values.
    ///
    /// - Parameter isolation: The caller's actor, which is not left.
    public final func removeAll(isolation: isolated (any Actor)? = #isolation) async {
        cache.withLock { $0.removeAll() }
    }
}

// MARK: - On the cache's own actor

extension MemoryCache {
    /// The value of a key, or nil if there is none or it has expired. It counts as used.
    ///
    /// - Parameter key: The key.
    @_disfavoredOverload
    public final func get(_ key: Key) -> Value? {
        cache.withLock { $0.lookup(key, now: clock.now) }
    }

    /// Sets the value of a key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    ///   - ttl: Seconds it lives, 0 for ever; nil for ``defaultTTL``.
    @_disfavoredOverload
    public final func set(_ value: Value, for key: Key, ttl: TimeInterval?) {
        let now = clock.now
        let expiry = now.expiry(after: ttl ?? defaultTTL)
        cache.withLock { _ = $0.set(value, for: key, expiry: expiry, now: now) }
    }

    /// Removes the value of a key.
    ///
    /// - Parameter key: The key.
    @_disfavoredOverload
    public final func remove(_ key: Key) {
        cache.withLock { _ = $0.remove(key) }
    }

    /// Removes all values.
    @_disfavoredOverload
    public final func removeAll() {
        cache.withLock { $0.removeAll() }
    }
}
