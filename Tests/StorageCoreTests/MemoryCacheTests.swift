import StorageCore
import StorageTestSupport
import Testing

@Suite struct MemoryCacheTests {
    private let clock = ManualClock()

    private func cache(capacity: Int = 10, ttl: TimeInterval = 60) -> MemoryCache<String, Int> {
        MemoryCache(capacity: capacity, defaultTTL: ttl, clock: clock)
    }

    @Test func onItsOwnActorACacheIsUsedWithoutAwait() async {
        let cache = MemoryCache<String, Int>(capacity: 2, defaultTTL: 0, clock: SystemClock())
        #expect(await cache.value("a") { 1 } == 1)
        #expect(await cache.value("a") { 2 } == 1)
        await cache.forget()
        #expect(await cache.value("a") { 3 } == 3)
    }

    @Test func aValueIsThereUntilTheMomentItExpires() async {
        let cache = cache()
        await cache.set(1, for: "a", ttl: 10)
        clock.advance(by: 9.999)
        #expect(await cache.get("a") == 1)
        clock.advance(by: 0.001)
        #expect(await cache.get("a") == nil)
    }

    @Test func withoutALifetimeTheCachesOwnHolds() async {
        let cache = cache(ttl: 60)
        await cache.set(1, for: "a", ttl: nil)
        clock.advance(by: 59)
        #expect(await cache.get("a") == 1)
        clock.advance(by: 1)
        #expect(await cache.get("a") == nil)
    }

    @Test func onItsOwnActorTooTheCachesOwnLifetimeHoldsWithoutAnother() async {
        let cache = cache(ttl: 60)
        #expect(await cache.value("a") { 1 } == 1)
        clock.advance(by: 60)
        #expect(await cache.get("a") == nil)
    }

    @Test(arguments: [0, -1, -TimeInterval.infinity, .infinity, .nan, .greatestFiniteMagnitude])
    func aLifetimeThatIsNoneIsForEver(ttl: TimeInterval) async {
        let cache = cache()
        await cache.set(1, for: "a", ttl: ttl)
        clock.advance(by: 1e9)
        #expect(await cache.get("a") == 1)
    }

    @Test func aDefaultLifetimeOfZeroIsForEver() async {
        let cache = cache(ttl: 0)
        await cache.set(1, for: "a", ttl: nil)
        clock.advance(by: 1e9)
        #expect(await cache.get("a") == 1)
    }

    @Test func settingAgainBeginsANewLifetime() async {
        let cache = cache()
        await cache.set(1, for: "a", ttl: 10)
        clock.advance(by: 9)
        await cache.set(2, for: "a", ttl: 10)
        clock.advance(by: 9)
        #expect(await cache.get("a") == 2)
    }

    @Test func readingDoesNotLengthenALifetime() async {
        let cache = cache()
        await cache.set(1, for: "a", ttl: 10)
        clock.advance(by: 9)
        #expect(await cache.get("a") == 1)
        clock.advance(by: 1)
        #expect(await cache.get("a") == nil)
    }

    @Test func overCapacityTheOneNotUsedForLongestGoes() async {
        let cache = cache(capacity: 2)
        await cache.set(1, for: "a", ttl: nil)
        await cache.set(2, for: "b", ttl: nil)
        #expect(await cache.get("a") == 1)
        await cache.set(3, for: "c", ttl: nil)
        #expect(await cache.get("b") == nil)
        #expect(await cache.get("a") == 1)
        #expect(await cache.get("c") == 3)
    }

    @Test func overCapacityWhatHasExpiredGoesBeforeAnythingAlive() async {
        let cache = cache(capacity: 3)
        await cache.set(1, for: "alive", ttl: nil)
        await cache.set(2, for: "short", ttl: 5)
        await cache.set(3, for: "shorter", ttl: 4)
        clock.advance(by: 5)
        await cache.set(4, for: "new", ttl: nil)
        await cache.set(5, for: "newer", ttl: nil)
        #expect(await cache.get("alive") == 1)
        #expect(await cache.get("new") == 4)
        #expect(await cache.get("newer") == 5)
    }

    @Test func atTheMomentThatAValueExpiresItGoesBeforeAnythingAliveAndNotJustBefore() async {
        for (wait, kept) in [(4.999, "short"), (5, "alive")] {
            let cache = cache(capacity: 2)
            await cache.set(1, for: "alive", ttl: nil)
            await cache.set(2, for: "short", ttl: 5)
            clock.advance(by: wait)
            await cache.set(3, for: "new", ttl: nil)
            #expect(await cache.get("alive") == (kept == "alive" ? 1 : nil))
            #expect(await cache.get("short") == (kept == "short" ? 2 : nil))
        }
    }

    @Test(arguments: [0, -5]) func aCacheWithoutCapacityKeepsNothing(capacity: Int) async {
        let cache = cache(capacity: capacity)
        await cache.set(1, for: "a", ttl: nil)
        #expect(await cache.get("a") == nil)
        #expect(await cache.capacity == capacity)
    }

    @Test func removingTakesOneAndRemovingAllTakesTheRest() async {
        let cache = cache()
        for (key, value) in [("a", 1), ("b", 2), ("c", 3)] { await cache.set(value, for: key, ttl: nil) }
        await cache.remove("a")
        await cache.remove("nothing")
        #expect(await cache.get("a") == nil)
        #expect(await cache.get("b") == 2)
        await cache.removeAll()
        #expect(await cache.get("b") == nil)
        #expect(await cache.get("c") == nil)
    }

    @Test func manyTasksAtOnceLeaveItWhole() async {
        let cache = cache(capacity: 50)
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(task))
                    var isRight = true
                    for _ in 0..<500 {
                        let key = Int.random(in: 0..<100, using: &random)
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: await cache.remove("\(key)")
                        case 1: await cache.set(key, for: "\(key)", ttl: nil)
                        default: isRight = await [nil, key].contains(cache.get("\(key)")) && isRight
                        }
                    }
                    return isRight
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        for key in 0..<50 { await cache.set(-key, for: "new \(key)", ttl: nil) }
        for key in 0..<50 { #expect(await cache.get("new \(key)") == -key) }
    }
}

extension MemoryCache {
    fileprivate func value(_ key: Key, make: @Sendable () -> Value) -> Value {
        if let value = get(key) { return value }
        let value = make()
        set(value, for: key, ttl: nil)
        return value
    }

    fileprivate func forget() { removeAll() }
}
