/// Values by key, of which those that have expired go first, then those not used for longest. A look-up takes constant time, and a
/// change one that grows with the logarithm of their number.
///
/// Each key has a place from 0 to ``count``: there are no holes, as the last one moves to where one was removed. ``PlaceIndex``
/// finds the place of a key, and ``LRULinks`` knows the order of the places. The keys are inlinable, so that a cache whose
/// values alone are generic has them specialised.
///
/// What goes is handed out, to be released where no lock is held: values are the app's, and so is what runs when they end.
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

    /// The value of a key, which becomes the newest, and when it expires; nil for never. One that has expired is to be removed by
    /// ``remove(_:expiry:)``: only who asks knows the time.
    @inlinable @inline(__always)
    package mutating func lookup(_ key: Key) -> (value: Value, expiry: Date?)? {
        guard let place = place(of: key, key.hashValue) else { return nil }
        links.makeNewest(place)
        return (values[place], links.expiry(at: place))
    }

    /// Sets the value of a key, which becomes the newest.
    ///
    /// - Parameters:
    ///   - expiry: When it expires; nil for never.
    ///   - now: The time.
    /// - Returns: The value that went for it, and whether that was one of another key that was alive.
    @discardableResult @inlinable @inline(__always)
    package mutating func set(
        _ value: Value, for key: Key, expiry: Date?, now: Date
    ) -> (displaced: Value?, isEviction: Bool) {
        guard capacity > 0 else { return (nil, false) }
        let hash = key.hashValue
        if let place = place(of: key, hash) { return (replace(place, value, expiry), false) }
        if count >= capacity {
            let (place, isExpired) = links.nextToGo(now: now)
            places.replace(place, hash)
            keys[place] = key
            return (replace(place, value, expiry), !isExpired)
        }
        places.append(hash)
        keys.append(key)
        values.append(value)
        links.append(expiry: expiry)
        return (nil, false)
    }

    /// - Returns: The value that was there.
    @inlinable
    mutating func replace(_ place: Int, _ value: Value, _ expiry: Date?) -> Value {
        var displaced = value
        swap(&values[place], &displaced)
        links.setExpiry(expiry, at: place)
        links.makeNewest(place)
        return displaced
    }

    /// Removes a key.
    ///
    /// - Returns: Its value; nil if it was not there.
    @discardableResult @inlinable @inline(__always)
    package mutating func remove(_ key: Key) -> Value? {
        guard let place = place(of: key, key.hashValue) else { return nil }
        return remove(place)
    }

    /// Removes a key if it still expires then: another may have set it meanwhile.
    ///
    /// - Returns: Its value; nil if it was not removed.
    @usableFromInline
    package mutating func remove(_ key: Key, expiry: Date) -> Value? {
        guard let place = place(of: key, key.hashValue), links.expiry(at: place) == expiry else { return nil }
        return remove(place)
    }

    @inlinable @inline(__always)
    func place(of key: Key, _ hash: Int) -> Int? { places.place(hash) { keys[$0] == key } }

    /// - Returns: The value that was there.
    @inlinable
    mutating func remove(_ place: Int) -> Value {
        places.remove(place)
        links.remove(place)
        let lastKey = keys.removeLast()
        var displaced = values.removeLast()
        if place != keys.count {
            keys[place] = lastKey
            swap(&values[place], &displaced)
        }
        return displaced
    }

    /// Removes everything.
    ///
    /// - Returns: All values.
    @discardableResult
    package mutating func removeAll() -> [Value] {
        defer { self = LRUCache(capacity: capacity) }
        return values
    }
}
