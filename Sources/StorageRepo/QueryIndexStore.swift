public import StorageGRDB

/// Remembers which entities a query found: their ids, in order, under a key of the query.
///
/// The ids stand in the disk cache, with a lifetime. They are the answer of the moment they were set and do not follow the
/// table, unlike the entities themselves, which are read as they are now.
///
/// ```swift
/// let index = QueryIndexStore(db: context.storage.dbActor, config: context.config)
/// let key = context.keys.queryKey("recent_posts", params: ["limit": "10"])
/// await index.set(posts.map(\.id), for: key, ttl: 60)
/// for id in await index.get(key) ?? [] {
///     let post = try await repository.get(id: id, policy: .localFirst(ttl: 300))
/// }
/// ```
public struct QueryIndexStore: Sendable {
    private let cache: DiskCache<[String]>

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - db: The door to the database.
    ///   - config: The clock, the quota, and the lifetime of lists that are set without one.
    ///   - onError: Called with each error, a ``StorageError``.
    public init(db: DatabaseActor, config: StorageConfig, onError: ErrorHandler? = nil) {
        cache = DiskCache(db: db, config: config, onError: onError)
    }

    /// The ids of a query, or nil if they are not known, or no longer.
    ///
    /// - Parameter key: The key, such as `KeyBuilder.queryKey` makes.
    public func get(_ key: String) async -> [String]? {
        await cache.get(key)
    }

    /// Sets the ids of a query.
    ///
    /// - Parameters:
    ///   - ids: The ids, in order.
    ///   - key: The key.
    ///   - ttl: Seconds they are kept, 0 for ever; nil for the configuration's.
    public func set(_ ids: [String], for key: String, ttl: TimeInterval? = nil) async {
        await cache.set(ids, for: key, ttl: ttl)
    }

    /// Forgets the ids of a query.
    ///
    /// - Parameter key: The key.
    public func remove(_ key: String) async {
        await cache.remove(key)
    }
}
