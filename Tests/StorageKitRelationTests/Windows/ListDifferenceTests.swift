@testable import StorageKit
import StorageTestSupport
import Testing

/// The difference of two lists, as a pure function of their keys.
@Suite struct ListDifferenceTests {
    private struct Row: Equatable {
        let key: Int
        let version: Int
    }

    @Test func placesAreToldInTheirOrder() {
        let gone = ListDifference(from: Array(0..<50), to: [Int]()) { _, _ in true }
        #expect(gone.removed == Array(0..<50))
        let new = ListDifference(from: [Int](), to: Array(0..<50)) { _, _ in true }
        #expect(new.inserted == Array(0..<50))
    }

    @Test func appliedToTheListBeforeADifferenceMakesTheList() {
        var random = SeededGenerator()
        for program in 0..<programCount(short: 5_000, quick: 20_000, full: 20_000) {
            var list: [Row] = []
            // One after the other, so that rows move again and again.
            for _ in 0..<5 {
                let next = Self.changed(list, &random)
                let difference = ListDifference(from: list.map(\.key), to: next.map(\.key)) { list[$0] == next[$1] }
                guard list.applying(difference, of: next) == next else {
                    Issue.record(
                        "STORAGEKIT_SEED=\(random.seed), program \(program): \(list) to \(next): \(difference)")
                    return
                }
                list = next
            }
        }
    }

    /// The longest run is that which all subsets of the rows that stayed are tried for.
    @Test func whatMovesIsAsLittleAsCanBeAndStandsLastBefore() {
        var random = SeededGenerator()
        for _ in 0..<programCount(short: 5_000, quick: 20_000, full: 20_000) {
            let numbers = Array(0..<Int.random(in: 0...7, using: &random)).shuffled(using: &random)
            let run = ListDifference.longestRun(numbers).sorted().map { numbers[$0] }
            #expect(run == Self.longestRun(byTryingAll: numbers), "STORAGEKIT_SEED=\(random.seed), \(numbers)")
        }
    }

    @Test func aMovedRowIsToldAsMovedAndAChangedOneAsUpdated() {
        let (old, new) = (["a", "b", "c", "d"], ["d", "a", "b", "x"])
        let difference = ListDifference(from: old, to: new) { old[$0] == new[$1] && new[$1] != "d" }
        #expect(difference.inserted == [3])
        #expect(difference.removed == [2])
        #expect(difference.moved == [ListMove(from: 3, to: 0)])
        #expect(difference.updated == [0])
    }

    @Test func ofTwoRowsThatExchangePlacesTheFirstBeforeStays() {
        let difference = ListDifference(from: [1, 2], to: [2, 1]) { _, _ in true }
        #expect(difference.moved == [ListMove(from: 1, to: 0)])
    }

    @Test func equalListsHaveNoDifference() {
        #expect(ListDifference(from: [1, 1, 2], to: [1, 1, 2]) { _, _ in true }.isEmpty)
        #expect(ListDifference(from: [Int](), to: []) { _, _ in true }.isEmpty)
    }

    /// Some rows gone, some new, some changed, some somewhere else. Now and then two have one key.
    private static func changed(_ list: [Row], _ random: inout SeededGenerator) -> [Row] {
        var next = list
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let place = Int.random(in: 0...next.count, using: &random)
            let row = Row(key: Int.random(in: 0...20, using: &random), version: Int.random(in: 0...1, using: &random))
            switch Int.random(in: 0...4, using: &random) {
            case 0, 1: next.insert(row, at: place)
            case 2 where place < next.count: next.remove(at: place)
            case 3 where place < next.count: next[place] = Row(key: next[place].key, version: row.version)
            default: next.insert(contentsOf: next.popLast().map { [$0] } ?? [], at: min(place, max(0, next.count - 1)))
            }
        }
        return Int.random(in: 0...9, using: &random) == 0 ? next.shuffled(using: &random) : next
    }

    private static func longestRun(byTryingAll numbers: [Int]) -> [Int] {
        let runs = (0..<(1 << numbers.count)).map { subset in
            numbers.indices.filter { subset & (1 << $0) != 0 }.map { numbers[$0] }
        }.filter { $0 == $0.sorted() }
        return runs.min { left, right in
            left.count != right.count ? left.count > right.count : left.lexicographicallyPrecedes(right)
        } ?? []
    }
}

extension Array {
    /// What a table view makes of the list before, with the rows of the new one.
    func applying(_ difference: ListDifference, of new: [Element]) -> [Element] {
        applying(
            inserted: difference.inserted, removed: difference.removed, moved: difference.moved,
            updated: difference.updated, of: new)
    }

    func applying(_ change: ListChange<Element>) -> [Element] where Element: Sendable {
        applying(
            inserted: change.inserted, removed: change.removed, moved: change.moved, updated: change.updated,
            of: change.list)
    }

    private func applying(
        inserted: [Int], removed: [Int], moved: [ListMove], updated: [Int], of new: [Element]
    ) -> [Element] {
        var list = self
        var taken: [Int: Element] = [:]
        for place in (removed + moved.map(\.from)).sorted(by: >) { taken[place] = list.remove(at: place) }
        let arriving =
            inserted.map { ($0, new[$0]) } + moved.compactMap { move in taken[move.from].map { (move.to, $0) } }
        for (place, element) in arriving.sorted(by: { $0.0 < $1.0 }) { list.insert(element, at: place) }
        for place in updated { list[place] = new[place] }
        return list
    }
}
