import GRDB
import Synchronization

/// What the caches of all entity types share: its settings, and writes to the disk cache that nobody waits for.
///
/// They are gathered for a moment and written together: each key is looked up on a connection that reads, and the writer is asked
/// only for what is due.
package final class CacheQueue: Sendable {
    let db: DatabaseActor
    let config: StorageConfig
    private let removals: DiskRemovals
    private let pending = Mutex(Pending())

    /// A write to the disk cache.
    struct Write: Sendable {
        /// Whether it sets an entry; otherwise it removes one.
        let isFill: Bool
        /// When the entry that it sets ends; nil for never.
        var expiry: Date?
        /// How many removals of its key it comes after.
        fileprivate(set) var removalsBefore = 0
        /// Whether the table does not have it already.
        let isDue: @Sendable (Database) throws -> Bool
        let run: @Sendable (Database) throws -> Void
    }

    private struct Pending {
        // By values, since Swift takes two texts for one key that SQLite does not.
        var writes: [StoredValue: Write] = [:]
        /// Those that are being written.
        var taken: [StoredValue: Write] = [:]
        var gathering: Task<Void, any Error>?
        var task: Task<Void, Never>?
        var isClosed = false
    }

    init(db: DatabaseActor, config: StorageConfig) {
        self.db = db
        self.config = config
        removals = db.diskRemovals
    }

    func report(_ error: any Error) {
        config.onCacheError?(error)
    }

    /// Above so many, further writes are left out: the entries would have to be read again anyway.
    private static let pendingLimit = 8192
    /// How many share a transaction, so that none takes the writer for long.
    private static let writesTogether = 512
    private static let gatheringTime = Duration.milliseconds(10)

    /// Runs a write to the disk cache soon, in one transaction with others. A later one for the same key takes the place
    /// of an earlier one.
    func writeLater(_ key: String, _ write: Write) {
        let key = StoredValue.text(key)
        var write = write
        write.removalsBefore = removals.count(of: key)
        pending.withLock { pending in
            guard !pending.isClosed, pending.writes.count < CacheQueue.pendingLimit || pending.writes[key] != nil
            else { return }
            pending.writes[key] = write
            if pending.task == nil { gather(&pending) }
        }
    }

    private func gather(_ pending: inout Pending) {
        let gathering = Task.detached(priority: .utility) { try await Task.sleep(for: CacheQueue.gatheringTime) }
        pending.gathering = gathering
        pending.task = Task.detached(priority: .utility) {
            try? await gathering.value
            await self.writeGathered()
        }
    }

    /// Writes nothing of what was to be written for a key.
    func leaveOut(_ key: String) {
        let key = StoredValue.text(key)
        pending.withLock { pending in
            pending.writes[key] = nil
            pending.taken[key] = nil
        }
    }

    /// Whether the entry of a key is yet to be set. To be asked before the table is: what is no longer to be set stands there.
    func isToFill(_ key: String) -> Bool {
        let key = StoredValue.text(key)
        let write = pending.withLock { $0.writes[key] ?? $0.taken[key] }
        return write.map { $0.isFill && isWanted($0, key) } ?? false
    }

    /// Whether it is to be run still. What was removed or has expired meanwhile is not to come back.
    private func isWanted(_ write: Write, _ key: StoredValue) -> Bool {
        guard write.isFill else { return true }
        return write.removalsBefore == removals.count(of: key) && write.expiry.map { $0 > config.clock.now } ?? true
    }

    private func isTaken(_ key: StoredValue) -> Bool { pending.withLock { $0.taken[key] != nil } }

    /// Writes what is pending when it begins. What comes meanwhile is gathered for the next time.
    private func writeGathered() async {
        var keys = pending.withLock { pending in
            swap(&pending.taken, &pending.writes)
            return Array(pending.taken.keys)
        }
        while !keys.isEmpty {
            let some = keys.suffix(CacheQueue.writesTogether)
            keys.removeLast(some.count)
            await write(some)
        }
        pending.withLock { pending in
            pending.task = nil
            if !pending.writes.isEmpty { gather(&pending) }
        }
    }

    /// Writes some of those that were taken, in one transaction.
    private func write(_ keys: some Sequence<StoredValue>) async {
        let writes = pending.withLock { pending in
            keys.compactMap { key in pending.taken[key].map { (key: key, write: $0) } }
        }
        do {
            let due = try await db.readRows(mayBeBrief: false) { db in
                try db.inOneState { try writes.filter { try $0.write.isDue(db) } }
            }
            if !due.isEmpty {
                try await db.writer.queue(
                    db.cacheWrite { [self] connection in
                        try db.inCacheTransaction(connection) {
                            for (key, write) in due where isTaken(key) && isWanted(write, key) {
                                try write.run(connection)
                            }
                        }
                    })
            }
        } catch {
            report(StorageError.from(error, during: .write))
        }
        pending.withLock { for key in keys { $0.taken[key] = nil } }
    }

    /// Takes no more writes, so that none is left once what is pending is written.
    func close() { pending.withLock { $0.isClosed = true } }

    /// Waits until what is pending now is written: first what is under way, then what was gathered behind it. What comes later is not
    /// waited for.
    func settle() async {
        for _ in 0..<2 {
            let (task, gathering) = pending.withLock { ($0.task, $0.gathering) }
            gathering?.cancel()
            await task?.value
        }
    }
}
