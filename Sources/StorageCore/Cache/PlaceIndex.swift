/// The places of a cache by the hashes of their keys. Every operation takes constant time on average.
///
/// It knows neither keys nor values: who has them says whether a key is at a place. A slot is eight bytes, so that a look-up reads
/// one line of memory before it gets to the key, and a key whose hash is another is never read.
@usableFromInline
struct PlaceIndex: Sendable {
    @usableFromInline
    struct Slot: Sendable {
        @usableFromInline var hash: UInt32 = 0
        /// Negative in a slot that is empty.
        @usableFromInline var place: Int32 = -1
    }

    /// A power of two of them, at least half of them empty; a place is in the first one free from where its hash points.
    @usableFromInline var slots = [Slot](repeating: Slot(), count: 8)
    /// The hash of each place. Keys are not asked again, and one whose hash has changed is lost and no more.
    private var hashes: [UInt32] = []

    /// The place of a key.
    ///
    /// - Parameters:
    ///   - hash: The key's hash.
    ///   - isThere: Whether the key is at a place. It is asked only for places with that hash.
    @inlinable @inline(__always)
    func place(_ hash: Int, where isThere: (Int) -> Bool) -> Int? {
        let hash = UInt32(truncatingIfNeeded: hash)
        var index = slot(hash)
        while slots[index].place >= 0 {
            if slots[index].hash == hash, isThere(Int(slots[index].place)) { return Int(slots[index].place) }
            index = slot(after: index)
        }
        return nil
    }

    /// Adds a place after all others.
    @usableFromInline
    mutating func append(_ hash: Int) {
        hashes.append(UInt32(truncatingIfNeeded: hash))
        if 2 * hashes.count > slots.count { grow() } else { insert(hashes.count - 1) }
    }

    /// Gives a place to another key.
    @usableFromInline
    mutating func replace(_ place: Int, _ hash: Int) {
        empty(slot(of: place))
        hashes[place] = UInt32(truncatingIfNeeded: hash)
        insert(place)
    }

    /// Removes a place; the last one moves to it.
    @usableFromInline
    mutating func remove(_ place: Int) {
        empty(slot(of: place))
        let last = hashes.count - 1
        if place != last {
            slots[slot(of: last)].place = Int32(place)
            hashes[place] = hashes[last]
        }
        hashes.removeLast()
    }

    // MARK: - Slots

    /// Where a hash points.
    @inlinable
    func slot(_ hash: UInt32) -> Int { Int(hash) & (slots.count - 1) }

    @inlinable
    func slot(after slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    private func slot(of place: Int) -> Int {
        var index = slot(hashes[place])
        while Int(slots[index].place) != place { index = slot(after: index) }
        return index
    }

    private mutating func insert(_ place: Int) {
        var index = slot(hashes[place])
        while slots[index].place >= 0 { index = slot(after: index) }
        slots[index] = Slot(hash: hashes[place], place: Int32(place))
    }

    private mutating func empty(_ slot: Int) {
        var gap = slot
        var index = self.slot(after: gap)
        // What did not get the slot that its hash points to moves up, so that no search ends before it.
        while slots[index].place >= 0 {
            if distance(self.slot(slots[index].hash), index) >= distance(gap, index) {
                slots[gap] = slots[index]
                gap = index
            }
            index = self.slot(after: index)
        }
        slots[gap] = Slot()
    }

    private func distance(_ start: Int, _ end: Int) -> Int { (end - start) & (slots.count - 1) }

    private mutating func grow() {
        slots = [Slot](repeating: Slot(), count: 2 * slots.count)
        for place in hashes.indices { insert(place) }
    }
}
