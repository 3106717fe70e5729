public import Synchronization

/// The tier in memory, for one entity type. It never gives a value that is older than the last commit.
///
/// Its look-up is inlinable, as is all that an app calls on the way here: code for any type at all copies values by way of
/// their metadata, which takes longer than to find them.
///
/// Whoever reads an entity from the table takes a ``Ticket`` before. If the row changed meanwhile, the ticket is void and
/// the value is not kept: it may be older than what the hub has told.
///
/// The clock is asked, and entities are released, outside its lock and the hub's: both may run code of the app, such as that of an
/// object which observes something until it ends.
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

        mutating func set(_ entity: Entity, for id: StoredValue, ttl: TimeInterval, now: Date) -> Entity? {
            let (displaced, isEviction) = entries.set(entity, for: id, expiry: now.expiry(after: ttl), now: now)
            if isEviction { numbers.evictions += 1 }
            return displaced
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
        let found = state.withLock { state -> (value: Entity, expiry: Date?)? in
            if isCurrent, let found = state.entries.lookup(id) {
                state.numbers.hits += 1
                return found
            }
            state.numbers.misses += 1
            return nil
        }
        guard let expiry = found?.expiry, expiry <= clock.now else { return found?.value }
        removeExpired(id, expiry)
        return nil
    }

    /// Removes what was found and has expired, and counts it as missed.
    @usableFromInline
    func removeExpired(_ id: StoredValue, _ expiry: Date) {
        let expired = state.withLock { state in
            state.numbers.hits -= 1
            state.numbers.misses += 1
            return state.entries.remove(id, expiry: expiry)
        }
        withExtendedLifetime(expired) {}
    }

    /// To be taken before an entity is read.
    func ticket(for id: StoredValue) -> Ticket {
        state.withLock { Ticket(changes: $0.changes[$0.place(of: id)]) }
    }

    /// Keeps what was read under a ticket.
    func fill(_ id: StoredValue, with entity: Entity, ttl: TimeInterval, now: Date, _ ticket: Ticket) {
        let displaced = state.withLock { state -> Entity? in
            guard state.changes[state.place(of: id)] == ticket.changes else { return nil }
            return state.set(entity, for: id, ttl: ttl, now: now)
        }
        withExtendedLifetime(displaced) {}
    }

    /// Keeps what was just committed. Called by the hub alone, which knows that nothing was committed since.
    ///
    /// - Parameter displaced: Takes what goes for it.
    func replace(
        _ id: StoredValue, with entity: Entity, ttl: TimeInterval, now: Date, _ displaced: inout [any Sendable]
    ) {
        if let entity = state.withLock({ $0.set(entity, for: id, ttl: ttl, now: now) }) { displaced.append(entity) }
    }

    package func forget(_ change: TableChange, _ displaced: inout [any Sendable]) {
        let forgotten = state.withLock { state -> [Entity] in
            switch change {
            case .rows(let ids, _):
                var forgotten: [Entity] = []
                for id in ids {
                    state.changes[state.place(of: id)] += 1
                    if let entity = state.entries.remove(id) { forgotten.append(entity) }
                }
                return forgotten
            case .allRows:
                for place in state.changes.indices { state.changes[place] += 1 }
                return state.entries.removeAll()
            }
        }
        if !forgotten.isEmpty { displaced.append(forgotten) }
    }

    var statistics: CacheStatistics.Tier {
        let (numbers, entities) = state.withLock { ($0.numbers, $0.entries.all.map(\.value)) }
        var tier = numbers
        tier.count = entities.count
        tier.bytes = entities.reduce(0) { $0 + size($1) }
        return tier
    }
}
