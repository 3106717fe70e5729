/// Values by key, of which those not used for longest go first. Every operation takes constant time.
///
/// The entries form a list from the newest to the oldest, linked by their places in an array: no object for each entry,
/// no search, no shifting.
package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: Key
        var value: Value
        /// Seconds since the reference date; infinite for an entry that never expires.
        var expiry: TimeInterval
        var newer: Int
        var older: Int
    }

    /// What a look-up found.
    package enum Lookup {
        case hit(Value)
        case expired
        case miss
    }

    /// How many entries there may be; none where it is 0 or less.
    package let capacity: Int
    private var places: [Key: Int] = [:]
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var newest = none
    private var oldest = none

    /// - Parameter capacity: How many entries there may be.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many entries there are, those included that have expired and were not asked for since.
    package var count: Int { places.count }

    /// All keys and values, the newest first.
    package var all: [(key: Key, value: Value)] {
        sequence(first: newest) { self.entries[$0]?.older }
            .prefix { $0 != Self.none }
            .compactMap { entries[$0].map { ($0.key, $0.value) } }
    }

    /// The value of a key, which becomes the newest. An expired one is removed.
    package mutating func lookup(_ key: Key, now: Date) -> Lookup {
        guard let place = places[key], let entry = entries[place] else { return .miss }
        guard entry.expiry > now.timeIntervalSinceReferenceDate else {
            remove(key)
            return .expired
        }
        if place != newest {
            unlink(place)
            linkAsNewest(place)
        }
        return .hit(entry.value)
    }

    /// Sets the value of a key, which becomes the newest.
    ///
    /// - Parameter expiry: When it expires; nil for never.
    /// - Returns: Whether the oldest had to go for it.
    @discardableResult
    package mutating func set(_ value: Value, for key: Key, expiry: Date?) -> Bool {
        guard capacity > 0 else { return false }
        let expiry = expiry?.timeIntervalSinceReferenceDate ?? .infinity
        if let place = places[key] {
            entries[place]?.value = value
            entries[place]?.expiry = expiry
            unlink(place)
            linkAsNewest(place)
            return false
        }
        let evicts = places.count >= capacity
        if evicts, let key = entries[oldest]?.key { remove(key) }
        let entry = Entry(key: key, value: value, expiry: expiry, newer: Self.none, older: Self.none)
        let place = free.popLast() ?? entries.count
        if place == entries.count { entries.append(entry) } else { entries[place] = entry }
        places[key] = place
        linkAsNewest(place)
        return evicts
    }

    /// Removes a key.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    package mutating func remove(_ key: Key) -> Bool {
        guard let place = places.removeValue(forKey: key) else { return false }
        unlink(place)
        entries[place] = nil
        free.append(place)
        return true
    }

    /// Removes everything.
    package mutating func removeAll() {
        self = LRUCache(capacity: capacity)
    }

    private static var none: Int { -1 }

    private mutating func unlink(_ place: Int) {
        guard let entry = entries[place] else { return }
        if entry.newer == Self.none { newest = entry.older } else { entries[entry.newer]?.older = entry.older }
        if entry.older == Self.none { oldest = entry.newer } else { entries[entry.older]?.newer = entry.newer }
    }

    private mutating func linkAsNewest(_ place: Int) {
        entries[place]?.newer = Self.none
        entries[place]?.older = newest
        if newest != Self.none { entries[newest]?.newer = place }
        newest = place
        if oldest == Self.none { oldest = place }
    }
}
