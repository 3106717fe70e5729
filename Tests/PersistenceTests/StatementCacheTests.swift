import Testing

@testable import Persistence

@Suite struct StatementCacheTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", busyTimeout: 0)
    }

    @Test func aStatementIsTakenOutOnce() throws {
        var cache = StatementCache()
        cache.keep(try connection.compile("SELECT 1"), for: "a")
        #expect(cache.take("a")?.sql == "SELECT 1")
        #expect(cache.take("a")?.sql == nil)
    }

    @Test func textsAreToldApartByTheirBytes() throws {
        var cache = StatementCache()
        cache.keep(try connection.compile("SELECT 1"), for: "SELECT 'é'")
        #expect(cache.take("SELECT 'e\u{301}'")?.sql == nil)
        #expect(cache.take("SELECT 'é'")?.sql == "SELECT 1")
    }

    @Test func whatWasNotUsedForLongestGoesFirst() throws {
        var cache = StatementCache()
        for number in 0..<64 { cache.keep(try connection.compile("SELECT \(number)"), for: "\(number)") }
        let first = cache.take("0")
        cache.keep(try #require(first), for: "0")
        cache.keep(try connection.compile("SELECT 64"), for: "64")
        #expect(cache.take("1")?.sql == nil)
        #expect(cache.take("0")?.sql == "SELECT 0")
        #expect((2...64).compactMap { cache.take("\($0)")?.sql } == (2...64).map { "SELECT \($0)" })
    }
}
