import StorageKit
import StorageTestSupport
import Testing

@Suite struct QueryTests {
    private let store: TemporaryStore
    private var query: Query<TestUser> { store.storage.query(TestUser.self) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await store.storage.save([
            TestUser("1", name: "Ada", age: 36, email: "ada@example.com"),
            TestUser("2", name: "Bo", age: 17),
            TestUser("3", name: "chen", age: 36, email: "chen@example.org", isActive: false),
            TestUser("4", name: "50%_\\", age: 60),
        ])
    }

    private func ids(_ query: Query<TestUser>) async throws -> [String] {
        try await query.orderBy("id").fetch().map(\.id)
    }

    @Test func comparisonsFindWhatTheySay() async throws {
        #expect(try await ids(query.where { $0.age == 36 }) == ["1", "3"])
        #expect(try await ids(query.where { $0.age != 36 }) == ["2", "4"])
        #expect(try await ids(query.where { $0.age < 36 }) == ["2"])
        #expect(try await ids(query.where { $0.age <= 36 }) == ["1", "2", "3"])
        #expect(try await ids(query.where { $0.age > 36 }) == ["4"])
        #expect(try await ids(query.where { $0.age >= 36 }) == ["1", "3", "4"])
    }

    @Test func nilFindsNULL() async throws {
        #expect(try await ids(query.where { $0.email == nil }) == ["2", "4"])
        #expect(try await ids(query.where { $0.email != nil }) == ["1", "3"])
        #expect(try await ids(query.where { $0.email.isNull }) == ["2", "4"])
        #expect(try await ids(query.where { $0.email.isNotNull }) == ["1", "3"])
        #expect(try await ids(query.where { $0.email != "ada@example.com" }) == ["2", "3", "4"])
    }

    @Test func pagesHaveRowsWithoutAValueInTheSecondColumnOfTheOrder() async throws {
        try await store.storage.save(TestUser("5", age: 36))
        let sorted = query.orderBy(\.age).orderBy(\.email, .descending)
        let ids = try await allPages { try await sorted.page(after: $0, limit: 2) }.joined().map(\.id)
        #expect(ids == ["2", "3", "1", "5", "4"])
    }

    @Test func aBoolColumnIsAConditionByItself() async throws {
        #expect(try await ids(query.where { $0.isActive }) == ["1", "2", "4"])
        #expect(try await ids(query.where { !$0.isActive }) == ["3"])
        #expect(try await ids(query.where { $0.isActive && $0.age > 20 }) == ["1", "4"])
    }

    @Test func textMatchesAreLiteralAndCaseSensitive() async throws {
        #expect(try await ids(query.where { $0.name.contains("%") }) == ["4"])
        #expect(try await ids(query.where { $0.name.contains("_\\") }) == ["4"])
        #expect(try await ids(query.where { $0.name.contains("a") }) == ["1"])
        #expect(try await ids(query.where { $0.name.hasPrefix("C") }) == [])
        #expect(try await ids(query.where { $0.name.hasPrefix("c") }) == ["3"])
        #expect(try await ids(query.where { $0.name.hasSuffix("_\\") }) == ["4"])
        #expect(try await ids(query.where { $0.email.contains("example.") }) == ["1", "3"])
        #expect(try await ids(query.where { $0.name.contains("") }) == ["1", "2", "3", "4"])
    }

    @Test func severalWheresMustAllHold() async throws {
        #expect(try await ids(query.where { $0.age == 36 }.where { $0.isActive }) == ["1"])
    }

    @Test func aSecondOrderAddsALevel() async throws {
        let ids = try await query.orderBy("age", .descending).orderBy("name", .descending).fetch().map(\.id)
        #expect(ids == ["4", "3", "1", "2"])
    }

    @Test func limitAndOffsetCutAWindow() async throws {
        let sorted = query.orderBy("id")
        #expect(try await sorted.limit(2).fetch().map(\.id) == ["1", "2"])
        #expect(try await sorted.limit(2).offset(3).fetch().map(\.id) == ["4"])
        #expect(try await sorted.offset(2).fetch().map(\.id) == ["3", "4"])
        #expect(try await sorted.limit(0).fetch().isEmpty)
        #expect(await storageError { _ = try await sorted.limit(-1).fetch() } != nil)
        #expect(await storageError { _ = try await sorted.limit(-1).fetchOne() } != nil)
        #expect(await storageError { _ = try await sorted.offset(-1).count() } != nil)
    }

    @Test func anOrderAndALaterLimitCountWhereverTheyStandAndAConditionAsksWhatIsLeft() async throws {
        #expect(try await query.limit(1).limit(2).orderBy("id", .descending).fetch().map(\.id) == ["4", "3"])
        #expect(try await query.orderBy("id").limit(1).where { $0.id != "1" }.count() == 0)
    }

    @Test func fetchOneReturnsTheFirstOrNil() async throws {
        #expect(try await query.orderBy("name", .descending).fetchOne()?.id == "3")
        #expect(try await query.where { $0.age > 100 }.fetchOne() == nil)
        #expect(try await query.limit(0).fetchOne() == nil)
    }

    @Test func countCountsWhatFetchWouldReturn() async throws {
        #expect(try await query.where { $0.age == 36 }.count() == 2)
        #expect(try await query.limit(3).count() == 3)
        #expect(try await query.offset(3).count() == 1)
    }

    @Test func deleteAllDeletesWhatFetchWouldReturn() async throws {
        #expect(try await query.where { $0.age == 36 }.deleteAll() == 2)
        #expect(try await query.orderBy("id").limit(1).deleteAll() == 1)
        #expect(try await ids(query) == ["4"])
    }

    @Test func columnsCanBeNamedInAString() async throws {
        #expect(try await ids(query.where { _ in Column<String>("name") == "Bo" }) == ["2"])
        let error = await storageError { _ = try await ids(query.where { _ in Column<String>("nam") == "Bo" }) }
        #expect(error?.localizedDescription.contains("'nam'") == true)
    }

    @Test func aQueryIsAValueThatLaterStepsDoNotChange() async throws {
        let all = query
        _ = all.where { $0.age > 100 }
        #expect(try await all.count() == 4)
    }
}
