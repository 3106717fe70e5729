/// The places of a cache from the newest to the oldest, and when each expires.
///
/// A list linked by numbers: no object for each place, no search, no shifting; beside it, a heap of the expiries. It knows neither keys
/// nor values and so is no generic type: in a cache whose types are known at run time only, each use of an array of a generic struct
/// looks up that struct's metadata, which takes longer than the rest of a look-up.
@usableFromInline
struct LRULinks: Sendable {
    private struct Link {
        var newer = -1
        var older = -1
    }

    private var links: [Link] = []
    private var expiries = ExpiryHeap()
    private(set) var newest = -1
    private var oldest = -1

    @usableFromInline var count: Int { links.count }

    /// All places, the newest first.
    var all: some Sequence<Int> {
        sequence(first: newest) { self.links[$0].older }.prefix { $0 >= 0 }
    }

    @usableFromInline
    func isExpired(_ place: Int, now: () -> Date) -> Bool {
        let expiry = expiries.expiry(at: place)
        return expiry != .infinity && expiry <= now().timeIntervalSinceReferenceDate
    }

    /// The place that goes first: one that has expired, or else the oldest.
    @usableFromInline
    func nextToGo(now: Date) -> (place: Int, isExpired: Bool) {
        if let first = expiries.first, isExpired(first, now: { now }) { return (first, true) }
        return (oldest, false)
    }

    @usableFromInline
    mutating func setExpiry(_ expiry: Date?, at place: Int) {
        expiries.set(expiry, at: place)
    }

    /// Adds the place ``count``, as the newest.
    @usableFromInline
    mutating func append(expiry: Date?) {
        links.append(Link())
        expiries.append(expiry)
        linkAsNewest(links.count - 1)
    }

    /// Removes a place; the last one moves to it.
    @usableFromInline
    mutating func remove(_ place: Int) {
        unlink(place)
        expiries.remove(place)
        let last = links.removeLast()
        guard place != links.count else { return }
        links[place] = last
        if last.newer < 0 { newest = place } else { links[last.newer].older = place }
        if last.older < 0 { oldest = place } else { links[last.older].newer = place }
    }

    @usableFromInline
    mutating func makeNewest(_ place: Int) {
        guard place != newest else { return }
        unlink(place)
        linkAsNewest(place)
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (links[place].newer, links[place].older)
        if newer < 0 { newest = older } else { links[newer].older = older }
        if older < 0 { oldest = newer } else { links[older].newer = newer }
    }

    private mutating func linkAsNewest(_ place: Int) {
        links[place].newer = -1
        links[place].older = newest
        if newest >= 0 { links[newest].newer = place }
        newest = place
        if oldest < 0 { oldest = place }
    }
}
