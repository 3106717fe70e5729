/// The places of a cache by the time they expire, so that the one that expires first is known. A change takes a
/// time that grows with the logarithm of their number.
///
/// A binary heap of the places. Like ``LRULinks`` it knows neither keys nor values.
struct ExpiryHeap: Sendable {
    /// By place, the seconds since the reference date; infinite for a place that never expires.
    private var expiries: [TimeInterval] = []
    /// No place expires before the one above it: above the position n is (n - 1) / 2.
    private var heap: [Int32] = []
    /// By place, its position in the heap.
    private var positions: [Int32] = []

    /// When a place expires: seconds since the reference date, infinite for never.
    func expiry(at place: Int) -> TimeInterval { expiries[place] }

    /// The place that expires first; nil if there is none.
    var first: Int? { heap.first.map { Int($0) } }

    /// Adds a place after all others.
    mutating func append(_ expiry: Date?) {
        let place = expiries.count
        expiries.append(expiry.secondsOrInfinity)
        positions.append(Int32(place))
        heap.append(Int32(place))
        moveUp(place)
    }

    mutating func set(_ expiry: Date?, at place: Int) {
        expiries[place] = expiry.secondsOrInfinity
        moveUp(place)
        moveDown(place)
    }

    /// Removes a place; the last one moves to it.
    mutating func remove(_ place: Int) {
        let filler = Int(heap.removeLast())
        if filler != place {
            put(filler, at: Int(positions[place]))
            moveUp(filler)
            moveDown(filler)
        }
        let last = expiries.count - 1
        if last != place {
            expiries[place] = expiries[last]
            put(place, at: Int(positions[last]))
        }
        expiries.removeLast()
        positions.removeLast()
    }

    private mutating func moveUp(_ place: Int) {
        let expiry = expiries[place]
        var position = Int(positions[place])
        while position > 0 {
            let above = (position - 1) / 2
            let other = Int(heap[above])
            guard expiry < expiries[other] else { break }
            put(other, at: position)
            position = above
        }
        put(place, at: position)
    }

    private mutating func moveDown(_ place: Int) {
        let expiry = expiries[place]
        var position = Int(positions[place])
        while let below = soonerBelow(position), expiries[Int(heap[below])] < expiry {
            put(Int(heap[below]), at: position)
            position = below
        }
        put(place, at: position)
    }

    /// Of the positions below one, that whose place expires first.
    private func soonerBelow(_ position: Int) -> Int? {
        let (left, right) = (2 * position + 1, 2 * position + 2)
        guard right < heap.count else { return left < heap.count ? left : nil }
        return expiries[Int(heap[right])] < expiries[Int(heap[left])] ? right : left
    }

    private mutating func put(_ place: Int, at position: Int) {
        heap[position] = Int32(place)
        positions[place] = Int32(position)
    }
}

extension Date? {
    fileprivate var secondsOrInfinity: TimeInterval { self?.timeIntervalSinceReferenceDate ?? .infinity }
}
