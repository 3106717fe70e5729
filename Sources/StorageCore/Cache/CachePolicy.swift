/// Where `get` looks for an entity.
///
/// ```swift
/// let user = try await repository.get(id: "1", policy: .localFirst(ttl: 300))
/// ```
///
/// No policy ever gives a value that is older than the last commit: the caches follow the table, whoever writes to it.
public enum CachePolicy: Sendable, Hashable {
    /// From memory if it is there, else from the table. The disk cache, where it is on, notes that it was used.
    ///
    /// - Parameter ttl: Seconds it is kept; 0 means for ever.
    case localFirst(ttl: TimeInterval)
    /// In the table alone. Nothing is kept.
    case databaseOnly
    /// In memory, then in the disk cache. What is in neither counts as not there.
    case cacheOnly
}
