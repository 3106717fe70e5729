import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

@StorageEntity
struct Event {
    var id: Int
    var at: Date
    var until: Date?
}

/// Dates that StorageKit, GRDB and SQLite wrote stand in one column, and compare as the times they are.
@Suite struct DateComparisonTests {
    private static let second = Date(timeIntervalSince1970: 1_767_323_045)

    private func store() throws -> TemporaryStore {
        try TemporaryStore { $0.autoSchema(EventRecord.self) }
    }

    private func insert(_ id: Int, _ text: String, in store: TemporaryStore) async throws {
        try await store.db.write { db in
            try db.execute(
                sql: "INSERT INTO events (id, at, until, updatedAt) VALUES (?, ?, ?, CURRENT_TIMESTAMP)",
                arguments: [id, text, text])
        }
    }

    @Test func inAnOrderOfDifferentDatesNilStandsWhereItIsToStand() async throws {
        let store = try store()
        try await store.storage.save(Event(id: 1, at: DateComparisonTests.second, until: nil))
        try await insert(2, "2026-01-02 03:04:05", in: store)
        let query = store.storage.query(Event.self)
        for (nulls, expected) in [
            (NullsOrder.last, [DateComparisonTests.second, nil]), (.first, [nil, DateComparisonTests.second]),
        ] {
            let different = query.orderBy(\.until, nulls: nulls).select(\.until).distinct()
            #expect(try await different.fetch() == expected)
            let first = try await different.page(limit: 1)
            let second = try await different.page(after: first.next, limit: 1)
            #expect(first.items + second.items == expected)
        }
    }

    @Test func aWholeSecondIsTheSameTimeWithAndWithoutDecimals() async throws {
        let store = try store()
        try await insert(1, "2026-01-02 03:04:05", in: store)
        try await store.storage.save(Event(id: 2, at: DateComparisonTests.second, until: DateComparisonTests.second))
        let at = DateComparisonTests.second
        let query = store.storage.query(Event.self).orderBy("id")
        #expect(try await query.where { $0.at == at }.fetch().map(\.id) == [1, 2])
        #expect(try await query.where { $0.at != at }.fetch().map(\.id) == [])
        #expect(try await query.where { $0.at < at }.fetch().map(\.id) == [])
        #expect(try await query.where { $0.at <= at }.fetch().map(\.id) == [1, 2])
        #expect(try await query.where { $0.at > at }.fetch().map(\.id) == [])
        #expect(try await query.where { $0.at >= at }.fetch().map(\.id) == [1, 2])
    }

    @Test func nilDiffersFromAWholeSecond() async throws {
        let store = try store()
        try await store.storage.save(Event(id: 1, at: DateComparisonTests.second))
        let at = DateComparisonTests.second
        let query = store.storage.query(Event.self)
        #expect(try await query.where { $0.until != at }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.until == at }.fetch().map(\.id) == [])
        #expect(try await query.where { $0.until == nil }.fetch().map(\.id) == [1])
    }

    /// Ours has all digits, GRDB's three, SQLite's none; each is compared with the others as a time.
    @Test func datesOfAllThreeWritersCompareAsTimes() async throws {
        let store = try store()
        var generator = SeededGenerator()
        var times: [Int: Date] = [:]
        for id in 0..<programCount(quick: 60, full: 3000) {
            let offset = Double.random(in: -3...3, using: &generator)
            let exact = DateComparisonTests.second.addingTimeInterval(offset)
            switch id % 3 {
            case 0:
                try await store.storage.save(Event(id: id, at: exact))
                times[id] = exact
            case 1:
                try await store.db.write { db in
                    try db.execute(
                        sql: "INSERT INTO events (id, at, updatedAt) VALUES (?, ?, ?)",
                        arguments: [id, exact, exact])
                }
                // The text holds milliseconds; read back, it is what GRDB would read.
                times[id] = Date.fromDatabaseValue(exact.databaseValue)
            default:
                let whole = exact.timeIntervalSince1970.rounded(.down)
                let text = try await store.db.read { db in
                    try String.fetchOne(db, sql: "SELECT datetime(?, 'unixepoch')", arguments: [whole])
                }
                try await insert(id, #require(text), in: store)
                times[id] = Date(timeIntervalSince1970: whole)
            }
        }
        let read = try await store.storage.all(Event.self)
        #expect(read.allSatisfy { $0.at == times[$0.id] }, "seed \(generator.seed)")
        for bound in times.values.shuffled(using: &generator).prefix(40) {
            let query = store.storage.query(Event.self)
            func expect(_ predicate: Predicate, _ matches: (Date) -> Bool) async throws {
                let found = try await query.where { _ in predicate }.fetch().map(\.id).sorted()
                #expect(found == times.filter { matches($0.value) }.keys.sorted(), "seed \(generator.seed), \(bound)")
            }
            let at = StorageGRDB.Column<Date>("at")
            try await expect(at < bound) { $0 < bound }
            try await expect(at <= bound) { $0 <= bound }
            try await expect(at > bound) { $0 > bound }
            try await expect(at >= bound) { $0 >= bound }
            try await expect(at == bound) { $0 == bound }
            try await expect(at != bound) { $0 != bound }
        }
    }

    @Test func ourDatesCompareRightWithGRDBsArgumentsInRawSQL() async throws {
        let store = try store()
        let first = Date(timeIntervalSinceReferenceDate: 789_015_845.123)
        try await store.storage.save([
            Event(id: 1, at: first.addingTimeInterval(-0.0004)), Event(id: 2, at: first),
            Event(id: 3, at: first.addingTimeInterval(0.0004)), Event(id: 4, at: first.addingTimeInterval(1)),
        ])
        func ids(_ condition: String) async throws -> [Int] {
            try await store.db.read { db in
                try Int.fetchAll(
                    db, sql: "SELECT id FROM events WHERE at \(condition) ? ORDER BY at", arguments: [first])
            }
        }
        #expect(try await ids("<") == [1])
        #expect(try await ids("=") == [2])
        #expect(try await ids(">") == [3, 4])
        #expect(try await ids(">=") == [2, 3, 4])
    }

    @Test func ourDatesCompareRightWithCurrentTimestamp() async throws {
        let store = try store()
        try await store.storage.save([
            Event(id: 1, at: Date().addingTimeInterval(-3600)), Event(id: 2, at: Date().addingTimeInterval(3600)),
        ])
        let past = try await store.db.read { db in
            try Int.fetchAll(db, sql: "SELECT id FROM events WHERE at < CURRENT_TIMESTAMP")
        }
        #expect(past == [1])
    }

    @Test func GRDBReadsOurDatesToTheMillisecond() async throws {
        let store = try store()
        let at = Date(timeIntervalSince1970: 1_767_323_045.123_456_7)
        try await store.storage.save(Event(id: 1, at: at))
        let read = try await store.db.read { db in try Date.fetchOne(db, sql: "SELECT at FROM events") }
        #expect(abs(try #require(read).timeIntervalSince(at)) < 0.001)
    }
}
