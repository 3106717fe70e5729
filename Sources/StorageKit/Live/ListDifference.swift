/// What makes one list of another, by the keys of their elements.
struct ListDifference: Equatable, Sendable {
    /// Places in the new list.
    var inserted: [Int] = []
    /// Places in the old list.
    var removed: [Int] = []
    var moved: [ListMove] = []
    /// Places in the new list.
    var updated: [Int] = []

    var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && moved.isEmpty && updated.isEmpty }

    /// - Parameters:
    ///   - old: The keys of the old list. Of elements that have the same key, the first is taken for the first, and so on.
    ///   - new: The keys of the new list.
    ///   - isSame: Whether the element at a place of the old list is in every way the one at a place of the new list.
    init<Key: Hashable>(from old: [Key], to new: [Key], isSame: (_ old: Int, _ new: Int) -> Bool) {
        // What both begin or end with stays where it is, and most changes touch a few rows of many. Counted in place:
        // `zip` with a `prefix` would gather the keys of all rows as pairs, which takes longer than all else here.
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        var places: [Key: ArraySlice<Int>] = [:]
        for place in start..<(old.count - end) { places[old[place], default: []].append(place) }
        /// Where the elements that are in both stand in the old list and in the new one, as they follow each other in that.
        var staying: [ListMove] = []
        for place in start..<(new.count - end) {
            if let from = places[new[place]]?.popFirst() {
                staying.append(ListMove(from: from, to: place))
            } else {
                inserted.append(place)
            }
        }
        removed = places.values.joined().sorted()
        let kept = ListDifference.longestRun(staying.map(\.from))
        moved = staying.indices.filter { !kept.contains($0) }.map { staying[$0] }
        updated += (0..<start).filter { !isSame($0, $0) }
        updated += staying.filter { !isSame($0.from, $0.to) }.map(\.to)
        let shift = new.count - old.count
        updated += ((old.count - end)..<old.count).filter { !isSame($0, $0 + shift) }.map { $0 + shift }
    }

    /// The longest run of numbers that grow, not necessarily side by side; of several, the one whose numbers are least.
    ///
    /// - Parameter numbers: Different numbers.
    /// - Returns: The places of the run's numbers.
    static func longestRun(_ numbers: [Int]) -> Set<Int> {
        /// Where the least number stands that a run of each length ends with.
        var ends: [Int] = []
        /// What stands before each number in the run that ends with it.
        var before: [Int?] = []
        for place in numbers.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < numbers[place] { low = middle + 1 } else { high = middle }
            }
            before.append(low == 0 ? nil : ends[low - 1])
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var run: Set<Int> = []
        var last = ends.last
        while let place = last {
            run.insert(place)
            last = before[place]
        }
        return run
    }
}
