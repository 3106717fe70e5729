/// Values by key, of which those not used for longest go first. Every operation takes constant time.
///
/// The values stand in an array at the places that ``LRUOrder`` gives their keys.
@usableFromInline
package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How many entries there may be; none where it is 0 or less.
    @usableFromInline package let capacity: Int
    @usableFromInline var order = LRUOrder<Key>()
    @usableFromInline var values: [Value] = []

    /// - Parameter capacity: How many entries there may be.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many entries there are, those included that have expired and were not asked for since.
    package var count: Int { order.count }

    /// All keys and values, the newest first.
    package var all: [(key: Key, value: Value)] { order.all.map { ($0.key, values[$0.place]) } }

    /// The value of a key, which becomes the newest. An expired one is removed.
    ///
    /// - Parameter now: The time. It is asked only for an entry that may have expired.
    @inlinable @inline(__always)
    package mutating func lookup(_ key: Key, now: @autoclosure () -> Date) -> Value? {
        guard let place = order.place(of: key) else { return nil }
        if order.isExpired(place, now: now) {
            remove(key)
            return nil
        }
        order.makeNewest(place)
        return values[place]
    }

    /// Sets the value of a key, which becomes the newest.
    ///
    /// - Parameter expiry: When it expires; nil for never.
    /// - Returns: Whether the oldest had to go for it.
    @discardableResult @inlinable @inline(__always)
    package mutating func set(_ value: Value, for key: Key, expiry: Date?) -> Bool {
        guard capacity > 0 else { return false }
        if let place = order.place(of: key) {
            values[place] = value
            order.setExpiry(expiry, at: place)
            order.makeNewest(place)
            return false
        }
        if order.count >= capacity {
            values[order.replaceOldest(with: key, expiry: expiry)] = value
            return true
        }
        order.append(key, expiry: expiry)
        values.append(value)
        return false
    }

    /// Removes a key.
    ///
    /// - Returns: Whether it was there.
    @discardableResult @inlinable @inline(__always)
    package mutating func remove(_ key: Key) -> Bool {
        guard let place = order.remove(key) else { return false }
        let last = values.removeLast()
        if place != values.count { values[place] = last }
        return true
    }

    /// Removes everything.
    package mutating func removeAll() {
        self = LRUCache(capacity: capacity)
    }
}
