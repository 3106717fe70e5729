public import Synchronization

/// The tier in memory, for one entity type. It never gives a value that is older than the last commit.
///
/// Its look-up is inlinable, as is all that an app calls on the way here: code for any type at all copies values by way of
/// their metadata, which takes longer than to find them.
///
/// Whoever reads an entity from the table takes a ``Ticket`` before. If the row changed meanwhile, the ticket is void and
/// the value is not kept: it may be older than what the hub has told.
@usableFromInline
package final class EntityCache<Entity: Sendable>: RowCache {
    @usableFromInline let state: Mutex<State>
    @usableFromInline let hub: ChangeHub
    private let size: @Sendable (Entity) -> Int

    @usableFromInline
    struct State {
        @usableFromInline var entries: LRUCache<StoredValue, Entity>
        @usableFromInline var numbers = CacheStatistics.Tier()
        /// One more with each change of a row whose id falls into the place, or of all rows. A few places are enough: two ids in one
        /// cost a fill now and then, and nothing else.
        var changes = [Int](repeating: 0, count: 64)

        func place(of id: StoredValue) -> Int {
            Int(UInt(bitPattern: id.hashValue) % UInt(changes.count))
        }

        mutating func set(_ entity: Entity, for id: StoredValue, ttl: TimeInterval, now: Date) {
            if entries.set(entity, for: id, expiry: now.expiry(after: ttl), now: now) { numbers.evictions += 1 }
        }
    }

    /// The right to keep what is being read, as long as nothing changes it.
    struct Ticket: Sendable {
        fileprivate let changes: Int
    }

    init(hub: ChangeHub, capacity: Int, size: @escaping @Sendable (Entity) -> Int) {
        self.hub = hub
        self.size = size
        state = Mutex(State(entries: LRUCache(capacity: capacity)))
    }

    /// The entity with that id, if it is here and nobody has committed what is not known yet.
    @inlinable
    func get(_ id: StoredValue, clock: any Clock) -> Entity? {
        let isCurrent = hub.isCurrent
        if !isCurrent { hub.catchUp() }
        return state.withLock { state in
            if isCurrent, let entity = state.entries.lookup(id, now: clock.now) {
                state.numbers.hits += 1
                return entity
            }
            state.numbers.misses += 1
            return nil
        }
    }

    /// To be taken before an entity is read.
    func ticket(for id: StoredValue) -> Ticket {
        state.withLock { Ticket(changes: $0.changes[$0.place(of: id)]) }
    }

    /// Keeps what was read under a ticket.
    func fill(_ id: StoredValue, with entity: Entity, ttl: TimeInterval, now: Date, _ ticket: Ticket) {
        state.withLock { state in
            guard state.changes[state.place(of: id)] == ticket.changes else { return }
            state.set(entity, for: id, ttl: ttl, now: now)
        }
    }

    /// Keeps what was just committed. Called by the hub alone, which knows that nothing was committed since.
    func replace(_ id: StoredValue, with entity: Entity, ttl: TimeInterval, now: Date) {
        state.withLock { $0.set(entity, for: id, ttl: ttl, now: now) }
    }

    package func forget(_ change: TableChange) {
        state.withLock { state in
            switch change {
            case .rows(let ids, _):
                for id in ids {
                    state.changes[state.place(of: id)] += 1
                    state.entries.remove(id)
                }
            case .allRows:
                for place in state.changes.indices { state.changes[place] += 1 }
                state.entries.removeAll()
            }
        }
    }

    var statistics: CacheStatistics.Tier {
        let (numbers, entities) = state.withLock { ($0.numbers, $0.entries.all.map(\.value)) }
        var tier = numbers
        tier.count = entities.count
        tier.bytes = entities.reduce(0) { $0 + size($1) }
        return tier
    }
}
