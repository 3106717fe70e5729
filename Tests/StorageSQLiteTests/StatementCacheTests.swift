import StorageSQLite
import Testing

@Suite struct StatementCacheTests {
    @Test func aStatementIsTakenOutOnce() {
        var cache = StatementCache<Int>()
        cache.keep(1, for: "a")
        #expect(cache.take("a") == 1)
        #expect(cache.take("a") == nil)
    }

    @Test func textsAreToldApartByTheirBytes() {
        var cache = StatementCache<Int>()
        cache.keep(1, for: "SELECT 'é'")
        #expect(cache.take("SELECT 'e\u{301}'") == nil)
        #expect(cache.take("SELECT 'é'") == 1)
    }

    @Test func whatWasNotUsedForLongestGoesFirst() {
        var cache = StatementCache<Int>()
        for number in 0..<64 { cache.keep(number, for: "\(number)") }
        cache.keep(cache.take("0") ?? -1, for: "0")
        cache.keep(64, for: "64")
        #expect(cache.take("1") == nil)
        #expect(cache.take("0") == 0)
        #expect((2...64).compactMap { cache.take("\($0)") } == Array(2...64))
    }
}
