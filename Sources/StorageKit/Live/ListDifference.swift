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
        // What both begin or end with stays where it is, and most changes touch a few rows of many.
        let start = zip(old, new).prefix(while: { $0 == $1 }).count
        let rest = min(old.count, new.count) - start
        let end = zip(old.reversed(), new.reversed()).prefix(rest).prefix(while: { $0 == $1 }).count
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
        let before = runLengths(numbers)
        // A run from the end that falls is one from the start that grows.
        let after = Array(runLengths(numbers.reversed().map { -$0 }).reversed())
        let length = before.max() ?? 0
        // Those that any longest run may go through, by their number in it.
        var candidates: [[Int]] = Array(repeating: [], count: length)
        for place in numbers.indices where before[place] + after[place] == length + 1 {
            candidates[before[place] - 1].append(place)
        }
        var run: Set<Int> = []
        var last: Int?
        for places in candidates {
            let possible = places.filter { place in last.map { $0 < place && numbers[$0] < numbers[place] } ?? true }
            last = possible.min { numbers[$0] < numbers[$1] }
            if let last { run.insert(last) }
        }
        return run
    }

    /// How long the longest run is that ends with each number.
    private static func runLengths(_ numbers: [Int]) -> [Int] {
        /// The least number that a run of each length ends with.
        var ends: [Int] = []
        return numbers.map { number in
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if ends[middle] < number { low = middle + 1 } else { high = middle }
            }
            if low == ends.count { ends.append(number) } else { ends[low] = number }
            return low + 1
        }
    }
}
