/// Which keys a cache has, when they expire, and which of them was not used for longest. Every operation takes constant
/// time.
///
/// Each key has a place from 0 to ``count``, at which its owner keeps the value: there are no holes, as the last one moves
/// to where one was removed. The places form a list from the newest to the oldest, linked by numbers: no object for each
/// key, no search, no shifting.
///
/// It knows nothing of values, and is inlinable, so that a cache whose values are generic has its keys specialised.
@usableFromInline
package struct LRUOrder<Key: Hashable & Sendable>: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var key: Key
        @usableFromInline var newer: Int
        @usableFromInline var older: Int
        /// Seconds since the reference date; infinite for a key that never expires.
        @usableFromInline var expiry: TimeInterval

        @inlinable
        init(key: Key, expiry: TimeInterval) {
            self.key = key
            self.expiry = expiry
            newer = -1
            older = -1
        }
    }

    @usableFromInline var places: [Key: Int] = [:]
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var newest = -1
    @usableFromInline var oldest = -1

    @inlinable
    package init() {}

    @inlinable
    package var count: Int { entries.count }

    /// All places and keys, the newest first.
    package var all: [(place: Int, key: Key)] {
        sequence(first: newest) { self.entries[$0].older }.prefix { $0 >= 0 }.map { ($0, entries[$0].key) }
    }

    @inlinable
    package func place(of key: Key) -> Int? { places[key] }

    @inlinable
    package func isExpired(_ place: Int, now: () -> Date) -> Bool {
        let expiry = entries[place].expiry
        return expiry != .infinity && expiry <= now().timeIntervalSinceReferenceDate
    }

    @inlinable
    package mutating func setExpiry(_ expiry: Date?, at place: Int) {
        entries[place].expiry = expiry?.timeIntervalSinceReferenceDate ?? .infinity
    }

    /// Adds a key that is not there, at the place ``count``.
    @inlinable
    package mutating func append(_ key: Key, expiry: Date?) {
        let place = entries.count
        entries.append(Entry(key: key, expiry: expiry?.timeIntervalSinceReferenceDate ?? .infinity))
        places[key] = place
        linkAsNewest(place)
    }

    /// Puts a key that is not there in place of the one not used for longest.
    ///
    /// - Returns: The place.
    @inlinable
    package mutating func replaceOldest(with key: Key, expiry: Date?) -> Int {
        let place = oldest
        places[entries[place].key] = nil
        entries[place].key = key
        setExpiry(expiry, at: place)
        places[key] = place
        makeNewest(place)
        return place
    }

    /// Removes a key.
    ///
    /// - Returns: Its place, to which the last value has to move; nil if it was not there.
    @inlinable
    package mutating func remove(_ key: Key) -> Int? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        unlink(place)
        let last = entries.removeLast()
        if place != entries.count {
            entries[place] = last
            places[last.key] = place
            if last.newer < 0 { newest = place } else { entries[last.newer].older = place }
            if last.older < 0 { oldest = place } else { entries[last.older].newer = place }
        }
        return place
    }

    @inlinable
    package mutating func makeNewest(_ place: Int) {
        guard place != newest else { return }
        unlink(place)
        linkAsNewest(place)
    }

    @inlinable
    mutating func unlink(_ place: Int) {
        let (newer, older) = (entries[place].newer, entries[place].older)
        if newer < 0 { newest = older } else { entries[newer].older = older }
        if older < 0 { oldest = newer } else { entries[older].newer = newer }
    }

    @inlinable
    mutating func linkAsNewest(_ place: Int) {
        entries[place].newer = -1
        entries[place].older = newest
        if newest >= 0 { entries[newest].newer = place }
        newest = place
        if oldest < 0 { oldest = place }
    }
}
