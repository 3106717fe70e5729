import GRDB
import Synchronization

/// What is kept for one entity type: its table, its caches, memory before the disk cache, and what is observed of it.
@usableFromInline
package final class EntityStore<R: StorageKitEntityRecord>: Sendable {
    @usableFromInline package let table: RecordTable<R>
    package let live: LiveTable<R>
    @usableFromInline let memory: EntityCache<R.E>?
    /// The source of time.
    @usableFromInline package let clock: any Clock
    let queue: CacheQueue
    /// What the keys of disk entries begin with.
    let keyPrefix: String
    private let shapeMemo: SchemaMemo<TableShape>
    /// The schema in which the disk tier failed; it is off until that changes.
    let failedSchema = Mutex<Int?>(nil)
    /// Whether the next write is to leave the tier in the file alone.
    let skipsDisk = Atomic<Bool>(false)

    init(_ table: RecordTable<R>, _ queue: CacheQueue) {
        self.table = table
        self.queue = queue
        clock = queue.config.clock
        keyPrefix = CacheTable.keyPrefix(R.E.self, queue.config)
        shapeMemo = table.shape()
        live = LiveTable(table, shapeMemo, db: queue.db, onError: queue.config.onObservationError)
        let hub = queue.db.changes
        guard queue.config.memoryCapacity > 0, hub.canServeCaches else {
            memory = nil
            return
        }
        let cache = EntityCache<R.E>(hub: hub, capacity: queue.config.memoryCapacity) { table.storedSize(of: $0) }
        hub.tell(cache, of: table.name, idColumn: table.idColumn)
        memory = cache
    }

    package var db: DatabaseActor { queue.db }
    package var config: StorageConfig { queue.config }
    /// Seconds an entry lives when no policy says it.
    package var defaultTTL: TimeInterval { queue.config.defaultTTL }

    /// Whether the task is to yield before it reads or writes at once.
    @usableFromInline
    package func hasTurnEnded() -> Bool { db.hasTurnEnded() }

    /// The entity with that id, if the policy lets memory give it and it is there. This waits for nobody.
    @inlinable
    package func inMemory(_ id: StoredValue, _ policy: CachePolicy?) -> R.E? {
        policy == .databaseOnly ? nil : memory?.get(id, clock: clock)
    }

    /// Reads the row with that id on the calling thread, where the policy and the caches ask for no more than that.
    ///
    /// The functions behind ``get(_:_:)`` suspend and look up types, which takes a tenth of the whole.
    ///
    /// - Parameter read: Reads the row, if there is one.
    /// - Returns: Whether there was a row or none. If not, nothing was done, or something went wrong.
    @usableFromInline
    package func readAtOnce(
        _ id: StoredValue, _ policy: CachePolicy?, _ read: (inout RowReader) throws -> Void
    ) -> Bool {
        guard isForTableAlone(policy) else { return false }
        return queue.db.readRowAtOnce(table, id: id, read)
    }

    // MARK: - What may be kept

    /// The key to keep an entity under that was found by an id; nil if SQLite found it by another than its own, as under a
    /// collation that ignores case. It is the entity's own id and not an equal copy: to compare a text with itself is to
    /// compare two pointers.
    func memoryKey(_ entity: R.E, foundBy id: StoredValue) -> StoredValue? {
        table.storedId(entity.id).flatMap { $0 == id ? $0 : nil }
    }

    var hasDiskCache: Bool { queue.config.usesDiskCache }

    var hasCaches: Bool { memory != nil || hasDiskCache }

    /// Whether a read under that policy asks no tier and fills none.
    func isForTableAlone(_ policy: CachePolicy?) -> Bool {
        policy == .databaseOnly || (!hasCaches && policy != .cacheOnly)
    }

    /// Whether there are caches, and the table is one that they can follow.
    func isCacheable(_ db: Database) throws -> Bool {
        try hasCaches && shape(db).hasKnownRows
    }

    /// Those who read do not look for commits of others first: what they see may be older than that.
    private func shape(_ db: Database) throws -> TableShape {
        try shapeMemo.value(db, epoch: queue.db.changes.epoch)
    }

    /// Whether a trigger or a constraint may leave out a row that is saved.
    func mayLeaveRowsOut(_ db: Database) throws -> Bool {
        // Who writes sees the newest schema.
        queue.db.changes.catchUp()
        return try !shape(db).keepsValues
    }

    /// The id of an entity that is saved, if somebody is there to have it and the table is one that can be followed.
    func idToKeep(_ entity: R.E, _ db: Database) throws -> StoredValue? {
        guard hasCaches || live.observesRows, let id = table.storedId(entity.id), hasCaches || live.observes(id) else {
            return nil
        }
        let shape = try shape(db)
        return shape.hasKnownRows && shape.keepsValues ? id : nil
    }

    /// Whether the table is one that caches can follow; nil if the database has to be asked.
    var isKnownCacheable: Bool? { shapeMemo.known(epoch: queue.db.changes.epoch)?.hasKnownRows }

    /// Has memory keep what is being saved, and whoever observes it get it, once that is committed.
    func keepOnceCommitted(_ saved: SavedEntity<R.E>, _ id: StoredValue, now: Date) {
        db.observer.fillOnceCommitted(
            .init(table: table.sql.lowercasedName, id: id) { [self] in
                memory?.replace(id, with: saved.entity, ttl: defaultTTL, now: now)
                live.offer(saved, for: id)
            })
    }
}

extension RecordTable {
    /// The bytes of an entity's columns.
    fileprivate func storedSize(of entity: R.E) -> Int {
        (try? values(of: entity, now: .distantPast))?.storedSize ?? 0
    }
}
