import GRDB
import StorageGRDB
import StorageKit
import StorageTestSupport
import Testing

/// What existing rows get in columns that auto-schema adds.
@Suite struct AddedColumnTests {
    enum Role: String, Codable, Sendable {
        case member, admin
    }

    enum Level: Int, Codable, Sendable {
        case none = 0
        case top = 9
    }

    struct Address: Codable, Sendable, Equatable {
        var city: String
        var tags: [String]
        static let unknown = Address(city: "?", tags: ["none"])
    }

    struct Settings: Codable, Sendable, Equatable {
        var theme: String?
    }

    enum V1 {
        @StorageEntity(table: "members")
        struct Member: Equatable {
            var id: String
        }
    }

    enum V2 {
        @StorageEntity(table: "members")
        struct Member: Equatable {
            var id: String
            var isActive = true
            var score: Double = 0.1
            var role: Role = .member
            var shout: String = "it's \"quoted\""
            var level: Level
            var tags: [String]
            var counts: [String: Int]
            var settings: Settings
            @StorageJSON var first: [Int] = [1, 2]
            @StorageEmbedded var address: Address
            @StorageEmbedded(prefix: "work_") var work: Address = .unknown
            var note: String?
            var hint: String? = "none"
            var amount: Decimal
            var big: UInt64
        }
    }

    enum WithCalculated {
        @StorageEntity(table: "members")
        struct Member: Equatable {
            var id: String
            var interval: Int = 60 * (30 + 30)
            var word: String = "a" + "b"
            var less: Double = -(0.5)
            var bytes: Data = Data([1, 2])
            var since: Date = Date(timeIntervalSince1970: 5)
            var home: URL? = URL(string: "https://example.org")
        }
    }

    enum WithLines {
        @StorageEntity(table: "members")
        struct Member {
            var id: String
            var greeting: String = """
                Hello,

                  dear
                "friend"
                """
        }
    }

    enum WithUUID {
        @StorageEntity(table: "members")
        struct Member {
            var id: String
            var token: UUID
        }
    }

    enum WithEnum {
        @StorageEntity(table: "members")
        struct Member {
            var id: String
            var role: Role
        }
    }

    enum WithURL {
        @StorageEntity(table: "members")
        struct Member {
            var id: String
            var home: URL
        }
    }

    enum WithLevel {
        @StorageEntity(table: "members")
        struct Member {
            var id: String
            var level: Level
            var token: UUID
        }
    }

    enum WithFreshDefault {
        @StorageEntity(table: "members")
        struct Member {
            var id: String
            var token: UUID = UUID()
        }
    }

    struct City: Codable, Sendable, Equatable {
        var city: String
        var note: String?
    }

    struct CityAndZip: Codable, Sendable, Equatable {
        var city: String
        var note: String?
        var zip: String
        static let unknown = CityAndZip(city: "?", zip: "?")
    }

    struct House: Codable, Sendable, Equatable {
        var city: City?
    }

    struct HouseWithZip: Codable, Sendable, Equatable {
        var city: CityAndZip?
    }

    enum WithCity {
        @StorageEntity(table: "members")
        struct Member: Equatable {
            var id: String
            @StorageEmbedded var home: City?
            @StorageEmbedded(prefix: "house_") var house: House
        }
    }

    enum WithZip {
        @StorageEntity(table: "members")
        struct Member: Equatable {
            var id: String
            @StorageEmbedded var home: CityAndZip?
            @StorageEmbedded(prefix: "house_") var house: House
        }
    }

    enum WithDefaultZip {
        @StorageEntity(table: "members")
        struct Member: Equatable {
            var id: String
            @StorageEmbedded var home: CityAndZip? = .unknown
            @StorageEmbedded(prefix: "house_") var house: House
        }
    }

    enum WithZipInside {
        @StorageEntity(table: "members")
        struct Member: Equatable {
            var id: String
            @StorageEmbedded var home: City?
            @StorageEmbedded(prefix: "house_") var house: HouseWithZip
        }
    }

    enum Counted {
        @StorageEntity(table: "members")
        struct Member: Equatable {
            var id: String
            var count: Int
            var size: Double
            var code: String
            @StorageEmbedded var home: City?
        }
    }

    /// A column more, and others of other types.
    enum CountedWithZip {
        @StorageEntity(table: "members")
        struct Member: Equatable {
            var id: String
            var count: String
            var size: Int
            var code: Int
            @StorageEmbedded var home: CityAndZip?
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func makeStoreWithCities(_ members: WithCity.Member...) async throws {
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(WithCity.MemberRecord.self) }
        try await store.storage.save(members)
    }

    /// The column that a start has no value for.
    private func missingColumn(_ describe: (inout AppMigrations) -> Void) -> String? {
        let error = #expect(throws: StorageError.self) { try TemporaryStore(folder: folder, schema: describe) }
        guard case .migrationFailed(_, let missing as MissingValueError) = error else { return nil }
        return missing.column
    }

    private func makeOldStore(rows: Int = 1) async throws {
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(V1.MemberRecord.self) }
        try await store.storage.save((0..<rows).map { V1.Member(id: "\($0)") })
    }

    @Test func aDefaultThatIsCalculatedFromConstantsIsOne() async throws {
        let folder = try TemporaryFolder()
        let before = try StorageKit.start(at: folder.file()) { $0.autoSchema(V1.MemberRecord.self) }
        try await before.facade.save(V1.Member(id: "1"))
        try await before.close()
        let now = try StorageKit.start(at: folder.file()) { $0.autoSchema(WithCalculated.MemberRecord.self) }
        #expect(try await now.facade.get(WithCalculated.Member.self, id: "1") == WithCalculated.Member(id: "1"))
    }

    @Test func existingRowsReadBackWithDeclaredDefaultsAndEmptyValues() async throws {
        try await makeOldStore()
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(V2.MemberRecord.self) }
        let member = try #require(try await store.storage.get(V2.Member.self, id: "0"))
        #expect(member.isActive)
        #expect(member.score == 0.1)
        #expect(member.role == .member)
        #expect(member.shout == "it's \"quoted\"")
        #expect(member.level == .none)
        #expect(member.tags == [])
        #expect(member.counts == [:])
        #expect(member.settings == Settings(theme: nil))
        #expect(member.first == [1, 2])
        #expect(member.address == Address(city: "", tags: []))
        #expect(member.work == .unknown)
        #expect(member.note == nil)
        #expect(member.hint == "none")
        #expect(member.amount == 0)
        #expect(member.big == 0)
    }

    @Test func existingRowsGetTheLinesOfADefaultAsTheyStandInTheSource() async throws {
        try await makeOldStore()
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(WithLines.MemberRecord.self) }
        let member = try #require(try await store.storage.get(WithLines.Member.self, id: "0"))
        #expect(member.greeting == WithLines.Member(id: "0").greeting)
        #expect(member.greeting == "Hello,\n\n  dear\n\"friend\"")
    }

    enum Refused: CaseIterable {
        case uuid, enumeration, url, freshDefault

        var column: String { self == .enumeration ? "role" : self == .url ? "home" : "token" }
        var type: String { self == .enumeration ? "Role" : self == .url ? "URL" : "UUID" }

        func describe(_ schema: inout AppMigrations) {
            switch self {
            case .uuid: schema.autoSchema(WithUUID.MemberRecord.self)
            case .enumeration: schema.autoSchema(WithEnum.MemberRecord.self)
            case .url: schema.autoSchema(WithURL.MemberRecord.self)
            case .freshDefault: schema.autoSchema(WithFreshDefault.MemberRecord.self)
            }
        }
    }

    @Test(arguments: Refused.allCases)
    func aColumnWithoutAValueForExistingRowsIsRefused(refused: Refused) async throws {
        try await makeOldStore()
        let error = #expect(throws: StorageError.self) {
            try TemporaryStore(folder: folder) { refused.describe(&$0) }
        }
        guard case .migrationFailed(_, let missing as MissingValueError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(missing.table == "members")
        #expect(missing.column == refused.column)
        #expect(missing.reason == .type(refused.type))
        #expect(error?.localizedDescription.contains("constant default value") == true)
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(V1.MemberRecord.self) }
        #expect(try await store.storage.all(V1.Member.self).count == 1)
    }

    @Test func anyColumnCanBeAddedToAnEmptyTable() async throws {
        try await makeOldStore(rows: 0)
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(WithUUID.MemberRecord.self) }
        let member = WithUUID.Member(id: "1", token: UUID())
        try await store.storage.save(member)
        #expect(try await store.storage.get(WithUUID.Member.self, id: "1")?.token == member.token)
    }

    /// Another program, or an older version of the app, inserts rows that leave the new columns out.
    @Test func rowsThatComeLaterIntoAnEmptyTableReadBack() async throws {
        try await makeOldStore(rows: 0)
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(V2.MemberRecord.self) }
        try await store.db.write {
            try $0.execute(sql: "INSERT INTO members (id, updatedAt) VALUES ('0', '2026-01-01')")
        }
        let member = try #require(try await store.storage.get(V2.Member.self, id: "0"))
        #expect(member.tags == [])
        #expect(member.counts == [:])
        #expect(member.settings == Settings(theme: nil))
        #expect(member.address == Address(city: "", tags: []))
        #expect(member.level == .none)
    }

    @Test(arguments: Refused.allCases)
    func aRowThatLeavesOutAValueWhichNothingCanStandForIsRefused(refused: Refused) async throws {
        try await makeOldStore(rows: 0)
        let store = try TemporaryStore(folder: folder) { refused.describe(&$0) }
        await #expect(throws: GRDB.DatabaseError.self) {
            try await store.db.write {
                try $0.execute(sql: "INSERT INTO members (id, updatedAt) VALUES ('0', '2026-01-01')")
            }
        }
    }

    @Test func jsonIsAddedAsJSONWhereNoRowCanBeRead() async throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.write { db in
            try db.execute(
                sql: "CREATE TABLE members (id TEXT PRIMARY KEY, level INTEGER); INSERT INTO members VALUES ('1', 'x')")
        }
        try queue.close()
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(V2.MemberRecord.self) }
        try await store.db.write { try $0.execute(sql: "UPDATE members SET level = 9") }
        let member = try #require(try await store.storage.get(V2.Member.self, id: "1"))
        #expect(member.tags == [] && member.counts == [:])
    }

    @Test func aPrimaryKeyCannotBeAdded() async throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE members (name TEXT)") }
        try queue.close()
        let error = #expect(throws: StorageError.self) {
            try TemporaryStore(folder: folder) { $0.autoSchema(V1.MemberRecord.self) }
        }
        #expect(error?.localizedDescription.contains("table 'members' has no column 'id'") == true)
    }

    @Test func aBrokenRowDoesNotStopColumnsFromBeingAdded() async throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.write { db in
            try db.execute(
                sql: "CREATE TABLE members (id TEXT PRIMARY KEY, level INTEGER); INSERT INTO members VALUES ('1', 'x')")
        }
        try queue.close()
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(V2.MemberRecord.self) }
        #expect(try await store.storage.count(V2.Member.self) == 1)
    }

    @Test func aBrokenRowDoesNotSpeakForTheOthers() async throws {
        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE members (id TEXT PRIMARY KEY, level INTEGER, updatedAt DATETIME);
                    INSERT INTO members VALUES ('1', 7, '2026-01-01'), ('2', 9, '2026-01-01')
                    """)
        }
        try queue.close()
        let error = #expect(throws: StorageError.self) {
            try TemporaryStore(folder: folder) { $0.autoSchema(WithLevel.MemberRecord.self) }
        }
        #expect(error?.localizedDescription.contains("column 'token' cannot be added to 'members'") == true)
    }

    // MARK: - Columns of values that may be nil

    @Test(arguments: [["1", "2"], ["2", "1"]])
    func aColumnOfAnOptionalValueIsRefusedWhereSomeRowHasTheValue(ids: [String]) async throws {
        try await makeStoreWithCities(
            WithCity.Member(id: ids[0], home: nil, house: House()),
            WithCity.Member(id: ids[1], home: City(city: "Kyiv"), house: House()))
        #expect(missingColumn { $0.autoSchema(WithZip.MemberRecord.self) } == "home_zip")
    }

    /// Rows cannot be read as the new entity while their columns have the old types.
    @Test func aColumnOfAnOptionalValueIsRefusedWhereOthersGetOtherTypes() async throws {
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(Counted.MemberRecord.self) }
        try await store.storage.save([
            Counted.Member(id: "1", count: 1, size: 2, code: "3", home: nil),
            Counted.Member(id: "2", count: 2, size: 3, code: "4", home: City(city: "Kyiv")),
        ])
        #expect(missingColumn { $0.autoSchema(CountedWithZip.MemberRecord.self) } == "home_zip")
        try await store.db.write { try $0.execute(sql: "DELETE FROM members WHERE id = '2'") }
        let again = try TemporaryStore(folder: folder) { $0.autoSchema(CountedWithZip.MemberRecord.self) }
        let member = CountedWithZip.Member(id: "1", count: "1", size: 2, code: 3, home: nil)
        #expect(try await again.storage.all(CountedWithZip.Member.self) == [member])
    }

    @Test(arguments: [["1", "2"], ["2", "1"]])
    func aColumnOfAnOptionalValueInsideAnotherIsRefusedWhereSomeRowHasTheValue(ids: [String]) async throws {
        try await makeStoreWithCities(
            WithCity.Member(id: ids[0], home: City(city: "Kyiv"), house: House()),
            WithCity.Member(id: ids[1], home: nil, house: House(city: City(city: "Lviv"))))
        #expect(missingColumn { $0.autoSchema(WithZipInside.MemberRecord.self) } == "house_city_zip")
    }

    @Test func aColumnOfAnOptionalValueIsAddedWhereNoRowHasTheValue() async throws {
        try await makeStoreWithCities(WithCity.Member(id: "1", home: nil, house: House(city: City(city: "Lviv"))))
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(WithZip.MemberRecord.self) }
        let member = WithZip.Member(id: "2", home: CityAndZip(city: "Kyiv", zip: "01001"), house: House())
        try await store.storage.save(member)
        #expect(
            try await store.storage.all(WithZip.Member.self) == [
                WithZip.Member(id: "1", home: nil, house: House(city: City(city: "Lviv"))), member,
            ])
    }

    @Test func theDefaultOfAnOptionalValueMakesNoHalfValueOfNil() async throws {
        try await makeStoreWithCities(WithCity.Member(id: "1", home: nil, house: House()))
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(WithDefaultZip.MemberRecord.self) }
        #expect(try await store.storage.all(WithDefaultZip.Member.self).map(\.home) == [nil])
    }
}
