import GRDB

// The main road of `get` of one entity: caches and table together.

extension EntityStore {
    /// The entity with that id, or nil, where ``inMemory(_:_:)`` has none.
    @usableFromInline
    package func get(_ id: StoredValue, _ policy: CachePolicy?) async throws -> R.E? {
        guard !isForTableAlone(policy) else {
            return try await db.convertingErrors(during: .read, of: table) {
                try await db.readRows { [self] db in try db.entity(table, id: id) }
            }
        }
        let ticket = memory?.ticket(for: id)
        let found = try await find(id, policy)
        guard let entity = found.entity else {
            if found.isForDisk { missOnDisk() }
            return nil
        }
        let ttl = policy?.ttl ?? defaultTTL
        if found.isCacheable, let id = memoryKey(entity, foundBy: id) {
            if let ticket { memory?.fill(id, with: entity, ttl: ttl, now: clock.now, ticket) }
            if found.isForDisk { fillDiskLater(id, size: found.size, ttl: ttl) }
        }
        return entity
    }

    /// Where nothing has to be asked about the table and the tier, the row alone is read, by functions that do not suspend: `readRows`
    /// takes a sixth longer (W6d).
    private func find(_ id: StoredValue, _ policy: CachePolicy?) async throws -> FoundEntity<R.E> {
        if policy != .cacheOnly, let isCacheable = isKnownCacheable,
            let isForDisk = policy == nil ? false : isDiskOn
        {
            var found = FoundEntity<R.E>(isCacheable: isCacheable, isForDisk: isCacheable && isForDisk)
            if db.readRowAtOnce(table, id: id, { try found.read(&$0, of: table) }) { return found }
        }
        return try await db.convertingErrors(during: .read, of: table) {
            try await db.readRows { [self] db in try find(id, policy, db) }
        }
    }

    private func find(_ id: StoredValue, _ policy: CachePolicy?, _ db: Database) throws -> FoundEntity<R.E> {
        let isCacheable = try isCacheable(db)
        if policy == .cacheOnly {
            return FoundEntity(entity: isCacheable ? try entityOnDisk(id, db) : nil, isCacheable: isCacheable)
        }
        let isForDisk = try policy != nil && isCacheable && isDiskOn(for: id, db)
        var found = FoundEntity<R.E>(isCacheable: isCacheable, isForDisk: isForDisk)
        try db.readRow(of: table, id: id) { try found.read(&$0, of: table) }
        return found
    }
}

/// What a look-up below the tier in memory found.
struct FoundEntity<Entity: Sendable>: Sendable {
    var entity: Entity?
    /// Whether caches can follow the table.
    var isCacheable = false
    /// Whether the disk cache is to know that it was used.
    var isForDisk = false
    /// The bytes of its columns, if the disk cache is to know.
    private(set) var size = 0

    /// Takes the entity from its row. To encode it only to measure it would take as long as to save it.
    mutating func read<R: StorageKitEntityRecord>(
        _ row: inout RowReader, of table: RecordTable<R>
    ) throws where R.E == Entity {
        entity = try R._decode(&row)
        if isForDisk { size = row.storedSize(ofFirst: table.columns.count) }
    }
}

extension CachePolicy {
    fileprivate var ttl: TimeInterval? {
        if case .localFirst(let ttl) = self { ttl } else { nil }
    }
}
