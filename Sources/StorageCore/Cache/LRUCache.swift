/// Values by key, of which those that have expired go first, then those not used for longest. A look-up takes constant time, and a
/// change one that grows with the logarithm of their number.
///
/// Each key has a place from 0 to ``count``: there are no holes, as the last one moves to where one was removed. ``PlaceIndex``
/// finds the place of a key, and ``LRULinks`` knows the order of the places. The keys are inlinable, so that a cache whose
/// values alone are generic has them specialised.
@usableFromInline
package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How many entries there may be; none where it is 0 or less.
    @usableFromInline package let capacity: Int
    @usableFromInline var places = PlaceIndex()
    @usableFromInline var keys: [Key] = []
    @usableFromInline var values: [Value] = []
    @usableFromInline var links = LRULinks()

    /// - Parameter capacity: How many entries there may be.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many entries there are, those included that have expired and were not asked for since.
    @inlinable package var count: Int { links.count }

    /// All keys and values, the newest first.
    package var all: [(key: Key, value: Value)] { links.all.map { (keys[$0], values[$0]) } }

    /// The value of a key, which becomes the newest. An expired one is removed.
    ///
    /// - Parameter now: The time. It is asked only for an entry that may have expired.
    @inlinable @inline(__always)
    package mutating func lookup(_ key: Key, now: @autoclosure () -> Date) -> Value? {
        guard let place = place(of: key, key.hashValue) else { return nil }
        if links.isExpired(place, now: now) {
            remove(place)
            return nil
        }
        links.makeNewest(place)
        return values[place]
    }

    /// Sets the value of a key, which becomes the newest.
    ///
    /// - Parameters:
    ///   - expiry: When it expires; nil for never.
    ///   - now: The time.
    /// - Returns: Whether one that was alive had to go for it.
    @discardableResult @inlinable @inline(__always)
    package mutating func set(_ value: Value, for key: Key, expiry: Date?, now: Date) -> Bool {
        guard capacity > 0 else { return false }
        let hash = key.hashValue
        if let place = place(of: key, hash) {
            replace(place, value, expiry)
            return false
        }
        if count >= capacity {
            let (place, isExpired) = links.nextToGo(now: now)
            places.replace(place, hash)
            keys[place] = key
            replace(place, value, expiry)
            return !isExpired
        }
        places.append(hash)
        keys.append(key)
        values.append(value)
        links.append(expiry: expiry)
        return false
    }

    @inlinable
    mutating func replace(_ place: Int, _ value: Value, _ expiry: Date?) {
        values[place] = value
        links.setExpiry(expiry, at: place)
        links.makeNewest(place)
    }

    /// Removes a key.
    ///
    /// - Returns: Whether it was there.
    @discardableResult @inlinable @inline(__always)
    package mutating func remove(_ key: Key) -> Bool {
        guard let place = place(of: key, key.hashValue) else { return false }
        remove(place)
        return true
    }

    @inlinable @inline(__always)
    func place(of key: Key, _ hash: Int) -> Int? { places.place(hash) { keys[$0] == key } }

    @inlinable
    mutating func remove(_ place: Int) {
        places.remove(place)
        links.remove(place)
        let (lastKey, lastValue) = (keys.removeLast(), values.removeLast())
        if place != keys.count {
            keys[place] = lastKey
            values[place] = lastValue
        }
    }

    /// Removes everything.
    package mutating func removeAll() {
        self = LRUCache(capacity: capacity)
    }
}
