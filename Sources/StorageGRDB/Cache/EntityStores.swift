import GRDB
import Synchronization

/// What one store has of its entity types: their caches and live values, and what the caches share.
@usableFromInline
package final class EntityStores: Sendable {
    private let queue: CacheQueue
    private let typed = TypeMemo()

    package init(db: DatabaseActor, config: StorageConfig) {
        queue = CacheQueue(db: db, config: config)
    }

    package var db: DatabaseActor { queue.db }
    package var config: StorageConfig { queue.config }

    /// What is kept for an entity type.
    @usableFromInline
    package func of<R: StorageKitEntityRecord>(_ type: R.Type) -> EntityStore<R> {
        typed.value(of: type) {
            let store = EntityStore(RecordTable(type, coders: config.coders), queue)
            db.recordsInUse[R.E.self] = type
            return store
        }
    }

    /// What the caches did and hold.
    package func statistics() async -> CacheStatistics {
        // Whether the disk cache had what was read is found out later.
        await queue.settle()
        var statistics = CacheStatistics()
        for type in types { statistics.memory.add(type.memoryStatistics) }
        guard config.usesDiskCache else { return statistics }
        let disk = try? await db.finishing { [db] in
            try await db.readRows(mayBeBrief: false) { try db.cacheTable($0)?.statistics($0) }
        }
        statistics.disk = disk.flatMap { $0 } ?? CacheStatistics.Tier()
        return statistics
    }

    /// Forgets what is in memory.
    package func forgetMemories() {
        for type in types { type.forgetMemory() }
    }

    private var types: [any AnyEntityStore] { typed.all.compactMap { $0 as? any AnyEntityStore } }

    /// Takes nothing more for the disk cache, and waits until all is written.
    package func close() async {
        queue.close()
        await settle()
    }

    /// Waits until what is pending now is in the disk cache.
    package func settle() async {
        await queue.settle()
        await db.settleCache()
    }
}

/// An ``EntityStore``, of which only that is asked that does not depend on its type.
private protocol AnyEntityStore {
    var memoryStatistics: CacheStatistics.Tier { get }
    func forgetMemory()
}

extension EntityStore: AnyEntityStore {
    fileprivate var memoryStatistics: CacheStatistics.Tier { memory?.statistics ?? CacheStatistics.Tier() }

    fileprivate func forgetMemory() { memory?.forget(.allRows) }
}

/// The records that stores have in use, by their entities: not each entity names its own.
final class RecordsInUse: Sendable {
    private let records = Mutex<[ObjectIdentifier: any StorageKitEntityRecord.Type]>([:])

    subscript(entity: Any.Type) -> (any StorageKitEntityRecord.Type)? {
        get { records.withLock { $0[ObjectIdentifier(entity)] } }
        set { records.withLock { $0[ObjectIdentifier(entity)] = newValue } }
    }
}

extension DatabaseActor {
    var recordsInUse: RecordsInUse { parts.value(of: RecordsInUse.self) { RecordsInUse() } }
}
