import GRDB

/// The tier in the database file, for one entity type. Its entries stand in the cache table under
/// `KeyBuilder.entityKey`.
///
/// An entry says that an entity was used within its lifetime, and no more: the entity itself is read from its row, which
/// lies in the same file. So it is never older than the row, whoever wrote that: another process, a program without
/// StorageKit. A copy could only be believed if the row were looked at as well.
final class DiskTier: Sendable {
    let cache: CacheTable
    private let clock: any Clock
    private let quota: Int

    /// What the entries of entities hold.
    fileprivate static let mark = Data("row".utf8)

    init(_ cache: CacheTable, config: StorageConfig) {
        self.cache = cache
        clock = config.clock
        quota = config.diskQuotaBytes
    }

    /// What the keys of an entity's entries begin with, before its id.
    static func keyPrefix<E: StorageKitEntity>(_ type: E.Type, _ config: StorageConfig) -> String {
        KeyBuilder(namespace: config.namespace).entityKey(type, id: "")
    }

    // MARK: - Reading

    /// What stands under a key.
    enum Found {
        case entry
        case nothing
        /// An entry that is not one of this tier.
        case broken
    }

    func find(_ key: String, _ db: Database) throws -> Found {
        guard let entry = try cache.get(key, now: clock.now, db) else { return .nothing }
        return entry.isOfTier ? .entry : .broken
    }

    // MARK: - Writing

    /// Sets the entry of an entity, inside the transaction that saved it or has just read it.
    ///
    /// - Parameters:
    ///   - size: The bytes of the entity, which count towards the quota.
    ///   - expiry: When the entry ends; nil for never.
    func set(_ key: String, size: Int, expiry: Date?, _ db: Database) throws {
        try cache.set(key, to: DiskTier.mark, size: size, expiry: expiry, now: clock.now, quota: quota, db)
    }

    /// Removes the entry of an entity, inside the transaction that deletes it.
    func remove(_ key: String, _ db: Database) throws {
        try cache.remove(key, db)
    }

    /// What setting the entry of an entity would come to, if that writes nothing now.
    func renewal(_ key: String, size: Int, expiry: Date?, _ db: Database) throws -> CacheTable.Renewal? {
        try cache.renewal(
            key, of: DiskTier.mark, size: size, expiry: expiry, now: clock.now, quota: quota, db)
    }
}

extension CacheTable.Entry {
    /// Whether it is an entity's.
    var isOfTier: Bool { !isDamaged && blob == DiskTier.mark }
}

/// An entry of the disk cache that is not what was put there.
struct BrokenEntryError: LocalizedError {
    var errorDescription: String? { "the entry was damaged, or comes from another version of the app" }
}
