import StorageCore
import StorageTestSupport
import Testing

@Suite struct LRUCacheTests {
    private let start = Date(timeIntervalSinceReferenceDate: 1_000)

    @Test func randomProgramsDoAsAModelOfAPlainArray() {
        var random = SeededGenerator()
        for program in 0..<programCount(quick: 300, full: 30_000) {
            if let problem = runProgram(&random) {
                Issue.record("STORAGEKIT_SEED=\(random.seed), program \(program): \(problem)")
                return
            }
        }
    }

    /// - Returns: Where the cache and the model differ, or nil.
    private func runProgram(_ random: inout SeededGenerator) -> String? {
        // A few entries meet every edge, many make the heap of expiries deep.
        let isLarge = Int.random(in: 0..<4, using: &random) == 0
        let capacity = Int.random(in: isLarge ? 20...60 : -1...6, using: &random)
        var cache = LRUCache<Int, Int>(capacity: capacity)
        var model = LRUModel(capacity: capacity)
        var now = start
        for step in 0..<(isLarge ? 600 : 60) {
            let key = Int.random(in: 0..<(isLarge ? 90 : 9), using: &random)
            let operation: String
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                let lifetime: TimeInterval? =
                    Bool.random(using: &random) ? nil : .random(in: 0...(isLarge ? 50 : 5), using: &random)
                let expiry = lifetime.map { now + $0 }
                operation = "set \(key)"
                let evicts = cache.set(step, for: key, expiry: expiry, now: now)
                guard evicts == model.set(step, for: key, expiry: expiry, now: now) else {
                    return "step \(step), \(operation): an eviction too many or too few"
                }
            case 4...6:
                operation = "get \(key)"
                guard cache.lookup(key, now: now) == model.lookup(key, now: now) else {
                    return "step \(step), \(operation): another value"
                }
            case 7:
                operation = "remove \(key)"
                guard cache.remove(key) == model.remove(key) else { return "step \(step), \(operation)" }
            case 8 where Int.random(in: 0..<10, using: &random) == 0:
                operation = "remove all"
                cache.removeAll()
                model.entries = []
            default:
                operation = "wait"
                now += Double(Int.random(in: 0...3, using: &random))
            }
            guard cache.all.map(\.key) == model.entries.map(\.key), cache.count == model.entries.count else {
                return "step \(step), \(operation): \(cache.all.map(\.key)) is not \(model.entries.map(\.key))"
            }
        }
        return nil
    }

    @Test func theOneNotUsedForLongestGoes() {
        var cache = LRUCache<String, Int>(capacity: 2)
        var evicts = [cache.set(1, for: "a", expiry: nil, now: start), cache.set(2, for: "b", expiry: nil, now: start)]
        _ = cache.lookup("a", now: start)
        evicts.append(cache.set(3, for: "c", expiry: nil, now: start))
        #expect(evicts == [false, false, true])
        #expect(cache.all.map(\.key) == ["c", "a"])
    }

    @Test func whatHasExpiredGoesBeforeTheOldestAndIsNoEviction() {
        var cache = LRUCache<String, Int>(capacity: 3)
        for (key, expiry) in [("a", 9.0), ("b", 2), ("c", 1)] {
            cache.set(1, for: key, expiry: start + expiry, now: start)
        }
        let evicts = ["d", "e", "f"].map { cache.set(1, for: $0, expiry: nil, now: start + 2) }
        #expect(evicts == [false, false, true])
        #expect(cache.all.map(\.key) == ["f", "e", "d"])
    }

    @Test func replacingAValueKeepsTheCountAndMakesItTheNewest() {
        var cache = LRUCache<String, Int>(capacity: 2)
        cache.set(1, for: "a", expiry: nil, now: start)
        cache.set(2, for: "b", expiry: nil, now: start)
        let evicts = cache.set(3, for: "a", expiry: nil, now: start)
        #expect(!evicts && cache.count == 2)
        #expect(cache.all.map(\.value) == [3, 2])
    }

    @Test func anExpiredValueIsRemovedWhenAskedFor() {
        var cache = LRUCache<String, Int>(capacity: 2)
        cache.set(1, for: "a", expiry: start, now: start)
        let found = cache.lookup("a", now: start)
        #expect(found == nil && cache.count == 0)
    }

    @Test(arguments: [0, -1, Int.min]) func withoutCapacityNothingIsKept(capacity: Int) {
        var cache = LRUCache<String, Int>(capacity: capacity)
        let evicts = cache.set(1, for: "a", expiry: nil, now: start)
        let found = cache.lookup("a", now: start)
        let wasThere = cache.remove("a")
        #expect(!evicts && found == nil && cache.count == 0 && !wasThere)
    }

    @Test func theOnlyPlaceIsTakenAgainAndAgain() {
        var cache = LRUCache<Int, Int>(capacity: 1)
        for key in 0..<100 {
            let evicts = cache.set(key, for: key, expiry: nil, now: start)
            #expect(evicts == (key > 0))
            #expect(cache.all.map(\.key) == [key])
        }
    }

    @Test func anEmptiedCacheIsAsNew() {
        var cache = LRUCache<Int, Int>(capacity: 3)
        for key in 0..<3 { cache.set(key, for: key, expiry: nil, now: start) }
        cache.removeAll()
        #expect(cache.count == 0 && cache.all.isEmpty && cache.capacity == 3)
        let evicts = cache.set(1, for: 1, expiry: nil, now: start)
        #expect(!evicts && cache.all.map(\.key) == [1])
    }
}

/// The same in the plainest way: an array, the newest first. No two entries expire at the same moment.
private struct LRUModel {
    let capacity: Int
    var entries: [(key: Int, value: Int, expiry: Date?)] = []

    mutating func set(_ value: Int, for key: Int, expiry: Date?, now: Date) -> Bool {
        guard capacity > 0 else { return false }
        let isNew = !remove(key)
        var evicts = false
        if isNew, entries.count == capacity {
            let soonest = entries.min { ($0.expiry ?? .distantFuture) < ($1.expiry ?? .distantFuture) }
            if let soonest, let expiry = soonest.expiry, expiry <= now {
                remove(soonest.key)
            } else {
                entries.removeLast()
                evicts = true
            }
        }
        entries.insert((key, value, expiry), at: 0)
        return evicts
    }

    mutating func lookup(_ key: Int, now: Date) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        if let expiry = entry.expiry, expiry <= now { return nil }
        entries.insert(entry, at: 0)
        return entry.value
    }

    @discardableResult
    mutating func remove(_ key: Int) -> Bool {
        let count = entries.count
        entries.removeAll { $0.key == key }
        return entries.count < count
    }
}
