import StorageKit
import StorageTestSupport
import Testing

/// Live lists with a limit behind an offset: as many rows as asked for, whatever happens before them and among them.
@Suite struct LiveLimitTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    /// The third to the fifth of ten users.
    private var query: Query<TestUser> { storage.query(TestUser.self).orderBy("age").limit(3).offset(2) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await storage.save((0..<10).map { TestUser("\($0)", age: 10 * $0) })
    }

    @Test func theFirstValueHasAllRowsOfTheLimit() async throws {
        #expect(try await StreamProbe(query.observe()).next().map(\.age) == [20, 30, 40])
    }

    @Test func aLimitBeyondAllRowsIsNoneBehindAnOffsetToo() async throws {
        let probe = StreamProbe(storage.query(TestUser.self).orderBy("age").limit(.max).offset(8).observe())
        #expect(try await probe.next().map(\.age) == [80, 90])
        try await storage.save(TestUser("0", age: 95))
        #expect(try await probe.next().map(\.age) == [90, 95])
    }

    /// Users that are saved one after the other, each with the rows that are then seen.
    @Test(arguments: [
        // From behind the rows, to before them and among them.
        [(9, -1, [10, 20, 30])], [(9, 35, [20, 30, 35])],
        // From before the rows, to among them and behind them.
        [(0, 25, [25, 30, 40])], [(0, 99, [30, 40, 50])],
        // From among the rows, to before them and behind them.
        [(3, -1, [10, 20, 40])], [(3, 99, [20, 40, 50])],
        // One after the other.
        [(9, -1, [10, 20, 30]), (8, -2, [0, 10, 20]), (9, 99, [10, 20, 30]), (8, 99, [20, 30, 40])],
    ])
    func afterAChangeTooThereAreAllRowsOfTheLimit(saves: [(id: Int, age: Int, seen: [Int])]) async throws {
        let probe = StreamProbe(query.observe())
        _ = try await probe.next()
        for save in saves {
            try await storage.save(TestUser("\(save.id)", age: save.age))
            #expect(try await probe.next().map(\.age) == save.seen)
        }
    }

    @Test func aRowBehindTheLimitThatCannotBeReadKeepsNothingBack() async throws {
        let errors = ErrorLog()
        let probe = StreamProbe(query.observe(onError: errors.handler))
        _ = try await probe.next()
        try await store.db.write { db in
            try db.execute(
                sql: "UPDATE testusers SET age = 35 WHERE id = '2'; UPDATE testusers SET age = 'x' WHERE id = '9'")
        }
        #expect(try await probe.next().map(\.age) == [30, 35, 40])
        #expect(errors.cases.isEmpty)
    }

    @Test func aRowBeforeTheOffsetThatCannotBeReadKeepsNothingBack() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET age = 'x' WHERE id = '0'") }
        let errors = ErrorLog()
        let query = storage.query(TestUser.self).orderBy("id").limit(3).offset(2)
        #expect(try await query.fetch().map(\.id) == ["2", "3", "4"])
        let probe = StreamProbe(query.observe(onError: errors.handler))
        #expect(try await probe.next().map(\.id) == ["2", "3", "4"])
        try await storage.save(TestUser("3", age: 7))
        #expect(try await probe.next().map(\.age) == [20, 7, 40])
        #expect(errors.cases.isEmpty)
    }

    @Test func afterADeletionTooThereAreAllRowsOfTheLimit() async throws {
        let probe = StreamProbe(query.observe())
        _ = try await probe.next()
        for (id, seen) in [("0", [30, 40, 50]), ("4", [30, 50, 60])] {
            try await storage.delete(TestUser.self, id: id)
            #expect(try await probe.next().map(\.age) == seen)
        }
        for id in ["5", "6", "7", "9"] { try await storage.delete(TestUser.self, id: id) }
        _ = try await probe.first { $0.map(\.age) == [30, 80] }
    }

    @Test func aListHearsOfWhatHappensBeyondTheOneFromTheOtherEnd() async throws {
        let all = storage.query(TestUser.self)
        let first = StreamProbe(all.orderBy(\.age).limit(2).observe())
        let last = StreamProbe(all.orderBy(\.age, .descending).limit(2).observe())
        let (lowest, highest) = (try await first.next()[0], try await last.next()[0])
        try await storage.save(TestUser(highest.id, name: "highest", age: highest.age))
        #expect(try await last.next()[0].name == "highest")
        try await storage.save(TestUser(lowest.id, name: "lowest", age: lowest.age))
        #expect(try await first.next()[0].name == "lowest")
    }

    @Test func whatHappensBehindTheLimitReadsNothing() async throws {
        let log = StatementLog()
        let store = try TemporaryStore(log: log) { $0.autoSchema(TestUserRecord.self) }
        try await store.storage.save((0..<10).map { TestUser("\($0)", age: 10 * $0) })
        let probe = StreamProbe(store.storage.query(TestUser.self).orderBy(\.age).limit(3).observe())
        #expect(try await probe.next().map(\.age) == [0, 10, 20])
        let statements = try await log.during {
            for age in [50, 21, 90] { try await store.storage.save(TestUser("9", age: age)) }
            try await store.storage.delete(TestUser.self, id: "8")
            try await store.storage.save(TestUser("5", age: 5))
            #expect(try await probe.next().map(\.age) == [0, 5, 10])
        }
        let reads = statements.sql.filter { $0.hasPrefix("SELECT") && $0.contains("FROM \"testusers\"") }
        #expect(reads.count == 1, "\(reads)")
    }
}
