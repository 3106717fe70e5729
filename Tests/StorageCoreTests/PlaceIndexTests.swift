import StorageTestSupport
import Testing

@testable import StorageCore

@Suite struct PlaceIndexTests {
    /// Hashes of which many are alike, and of which many point to the last slots and go on with the first.
    @Test(arguments: [1, 3, 64, 100_000])
    func randomProgramsFindWhatAnArrayOfHashesHas(differentHashes: Int) {
        var random = SeededGenerator()
        for program in 0..<programCount(quick: 40, full: 4_000) {
            var index = PlaceIndex()
            var model: [Int] = []
            for step in 0..<200 {
                let hash = -1 - Int.random(in: 0..<differentHashes, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    index.append(hash)
                    model.append(hash)
                case 2 where !model.isEmpty:
                    let place = Int.random(in: 0..<model.count, using: &random)
                    index.replace(place, hash)
                    model[place] = hash
                case 3 where !model.isEmpty:
                    let place = Int.random(in: 0..<model.count, using: &random)
                    index.remove(place)
                    model.swapAt(place, model.count - 1)
                    model.removeLast()
                default: break
                }
                let isRight =
                    model.indices.allSatisfy { place in index.place(model[place]) { $0 == place } == place }
                    && index.place(hash) { !model.indices.contains($0) } == nil
                    && index.slots.count(where: { $0.place >= 0 }) == model.count
                guard isRight else {
                    Issue.record("STORAGEKIT_SEED=\(random.seed), program \(program), step \(step)")
                    return
                }
            }
        }
    }

    @Test func onlyPlacesWithTheSameHashAreLookedAt() {
        var index = PlaceIndex()
        for hash in [8, 16, 24, 8] { index.append(hash) }
        var asked: [Int] = []
        #expect(
            index.place(8) {
                asked.append($0); return false
            } == nil)
        #expect(asked == [0, 3])
    }

    @Test func aKeyWhoseHashHasChangedIsLostAndNoMore() {
        final class Key: Hashable, @unchecked Sendable {
            var number = 0
            static func == (left: Key, right: Key) -> Bool { left === right }
            func hash(into hasher: inout Hasher) { hasher.combine(number) }
        }
        var cache = LRUCache<Key, Int>(capacity: 2)
        let (changed, other) = (Key(), Key())
        cache.set(1, for: changed, expiry: nil, now: Date())
        cache.set(2, for: other, expiry: nil, now: Date())
        changed.number = 1
        #expect(cache.lookup(changed, now: Date()) == nil)
        cache.set(3, for: Key(), expiry: nil, now: Date())
        #expect(cache.lookup(other, now: Date()) == 2)
        #expect(cache.count == 2)
    }
}
