import GRDB
import Synchronization

/// What the tiers of all entity types of a store share: its settings, and writes to the disk cache that nobody waits for.
package final class CacheQueue: Sendable {
    let db: DatabaseActor
    let config: StorageConfig
    private let pending = Mutex(Pending())

    private struct Pending {
        // By values, since Swift takes two texts for one key that SQLite does not.
        var writes: [StoredValue: @Sendable (Database) throws -> Void] = [:]
        var task: Task<Void, Never>?
    }

    init(db: DatabaseActor, config: StorageConfig) {
        self.db = db
        self.config = config
    }

    func report(_ error: any Error) {
        config.onCacheError?(error)
    }

    /// Above so many, further writes are left out: the entries would have to be read again anyway.
    private static let pendingLimit = 1000

    /// Runs a write to the disk cache soon, in one transaction with others. A later one for the same key takes the place
    /// of an earlier one.
    func writeLater(_ key: String, _ write: @escaping @Sendable (Database) throws -> Void) {
        let key = StoredValue.text(key)
        pending.withLock { pending in
            guard pending.writes.count < CacheQueue.pendingLimit || pending.writes[key] != nil else { return }
            pending.writes[key] = write
            if pending.task == nil { pending.task = Task.detached(priority: .utility) { await self.writePending() } }
        }
    }

    private func writePending() async {
        while true {
            let writes = pending.withLock { pending in
                defer { pending.writes = [:] }
                if pending.writes.isEmpty { pending.task = nil }
                return pending.writes
            }
            if writes.isEmpty { return }
            do {
                try await db.writeSoon(
                    db.cacheWrite { [db] connection in
                        try db.inCacheTransaction(connection) {
                            for write in writes.values { try write(connection) }
                        }
                    })
            } catch {
                report(StorageError.from(error, during: .write))
            }
        }
    }

    /// Waits until nothing is left to write.
    func settle() async {
        while let task = pending.withLock({ $0.task }) { await task.value }
    }
}
