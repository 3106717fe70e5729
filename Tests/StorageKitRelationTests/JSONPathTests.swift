import StorageKit
import StorageTestSupport
import Testing

/// What queries ask about values inside JSON, beside the same in Swift.
@Suite struct JSONPathTests {
    enum Kind: String, Codable, Sendable { case home, work }

    struct Geo: Codable, Sendable, Equatable { var latitude: Double, longitude: Double }

    struct Place: Codable, Sendable, Equatable {
        enum CodingKeys: String, CodingKey {
            case city, name = "place name's", kind, geo, houseNumber, open, since, price, tags, count, id, secret, size
        }
        var city: String
        var name: String?
        var kind: Kind
        var geo: Geo?
        var houseNumber: Int
        var open: Bool
        var since: Date
        var price: Decimal
        var tags: [String]
        var count: Int
        var id: UUID
        var secret: Data
        var size: UInt64
    }

    @StorageEntity
    struct Visit {
        var id: Int
        @StorageJSON var place: Place?
        @StorageJSON var home: Place
        @StorageJSON var links: [URL]
        @StorageJSON var value: [Int]?
        var isFlagged: Bool
    }

    private let store: TemporaryStore
    private let visits: [Visit]
    private let seed: UInt64
    private var query: Query<Visit> { store.storage.query(Visit.self).orderBy(\.id) }
    private let row = Visit.storageColumns
    private static let link = URL(fileURLWithPath: "/a?b=1")

    init() async throws {
        try await self.init { _ in }
    }

    private init(_ configure: (inout StorageKit.StartOptions) -> Void) async throws {
        store = try TemporaryStore(options: configure) { $0.autoSchema(VisitRecord.self) }
        var random = SeededGenerator()
        seed = random.seed
        visits = (0..<programCount(quick: 80, full: 1_000)).map { id in
            Visit(
                id: id, place: Bool.random(using: &random) ? Self.place(&random) : nil, home: Self.place(&random),
                links: Bool.random(using: &random) ? [Self.link] : [],
                value: Bool.random(using: &random) ? [1, 2, id] : nil, isFlagged: id % 3 == 0)
        }
        try await store.storage.save(visits)
    }

    private static func place(_ random: inout SeededGenerator) -> Place {
        let seconds = Double(Int.random(in: 0...4, using: &random)) * 43_200.25
        return Place(
            city: ["Kyiv", "Lviv", "", "O'Hara", "\"q\"", "日本"][Int.random(in: 0..<6, using: &random)],
            name: Bool.random(using: &random) ? "n" : nil, kind: Bool.random(using: &random) ? .home : .work,
            geo: Bool.random(using: &random)
                ? Geo(latitude: Double(Int.random(in: 0...3, using: &random)) / 2, longitude: 1) : nil,
            houseNumber: Int.random(in: -2...2, using: &random), open: Bool.random(using: &random),
            since: Date(timeIntervalSince1970: seconds),
            price: Decimal(
                string: ["12345678901234567890.12", "0.1", "-3", "7.25"][Int.random(in: 0..<4, using: &random)]) ?? 0,
            tags: Bool.random(using: &random) ? ["a", "b"] : [], count: Int.random(in: 0...3, using: &random),
            id: UUID(), secret: Data([UInt8.random(in: 0...3, using: &random)]),
            size: [0, 5, UInt64.max][Int.random(in: 0..<3, using: &random)])
    }

    private func check(
        _ condition: Predicate, _ line: Int = #line, _ holds: (Visit) -> Bool
    ) async throws {
        let found = try await query.where { _ in condition }.fetch().map(\.id)
        #expect(found == visits.filter(holds).map(\.id), "line \(line), seed \(seed)")
        let others = try await query.where { _ in !condition }.fetch().map(\.id)
        #expect(others == visits.filter { !holds($0) }.map(\.id), "line \(line), seed \(seed)")
    }

    private func checkEveryType() async throws {
        let half = 0.5
        try await check(row.place.city == "Kyiv") { visit in visit.place?.city == "Kyiv" }
        try await check(row.home.city != "O'Hara") { visit in visit.home.city != "O'Hara" }
        try await check(row.place.name == nil) { visit in visit.place?.name == nil }
        try await check(row.home.name == "n") { visit in visit.home.name == "n" }
        try await check(row.home.kind == Kind.work) { visit in visit.home.kind == Kind.work }
        try await check(row.place.kind == Kind.work) { visit in visit.place?.kind == Kind.work }
        try await check(row.home.geo.latitude > half) { (visit: Visit) -> Bool in
            guard let geo = visit.home.geo else { return false }
            return geo.latitude > 0.5
        }
        try await check(row.place.geo.latitude == nil) { visit in visit.place?.geo == nil }
        try await check(row.place.geo.isNull) { visit in visit.place?.geo == nil }
        try await check(row.home.houseNumber < row.home.count) { visit in visit.home.houseNumber < visit.home.count }
        try await check(row.home.open) { visit in visit.home.open }
        try await check(row.place.open == true) { visit in visit.place?.open == true }
        let noon = Date(timeIntervalSince1970: 43_200.25)
        try await check(row.home.since == noon) { visit in visit.home.since == noon }
        try await check(row.place.since > noon) { (visit: Visit) -> Bool in
            guard let place = visit.place else { return false }
            return place.since > noon
        }
        let days = 86_400.0..<172_800.0
        try await check(row.home.since.day == 2) { visit in days.contains(visit.home.since.timeIntervalSince1970) }
        let price = try #require(Decimal(string: "12345678901234567890.12"))
        try await check(row.home.price == price) { visit in visit.home.price == price }
        try await check(row.place.price < 1) { (visit: Visit) -> Bool in
            guard let place = visit.place else { return false }
            return place.price < 1
        }
        try await check(row.home.size == UInt64.max) { visit in visit.home.size == UInt64.max }
        try await check(row.home.secret == Data([1])) { visit in visit.home.secret == Data([1]) }
        try await check(row.home.id == visits[3].home.id) { visit in visit.id == 3 }
        try await check(row.home.tags.count == 2) { visit in visit.home.tags.count == 2 }
        try await check(row.place.tags.count == 2) { visit in visit.place?.tags.count == 2 }
        try await check(row.place.tags.contains("b")) { visit in visit.place?.tags.contains("b") == true }
        try await check(row.home.tags.isEmpty) { visit in visit.home.tags.isEmpty }
    }

    @Test func valuesOfEveryTypeAreComparedAsInSwift() async throws {
        try await checkEveryType()
    }

    @Test func theKeysAndFormsAreThoseOfTheStoresEncoder() async throws {
        let other = try await JSONPathTests {
            $0.configureEncoder = {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $0.dateEncodingStrategy = .secondsSince1970
            }
            $0.configureDecoder = {
                $0.keyDecodingStrategy = .convertFromSnakeCase
                $0.dateDecodingStrategy = .secondsSince1970
            }
        }
        let sql = try other.query.where { $0.home.houseNumber == 1 }.sql.sql
        #expect(sql.contains(#"json_extract("home", '$."house_number"') = ?"#), "\(sql)")
        try await other.checkEveryType()
    }

    @Test func arraysAreAskedForElementsAndTheirNumber() async throws {
        let conditions = query.where { $0.links.count > 0 && $0.links.contains(Self.link) }
        let sql = try conditions.sql.sql
        #expect(sql.contains(#"json_array_length("links") > ?"#), "\(sql)")
        #expect(sql.contains(#"EXISTS (SELECT 1 FROM json_each("visits"."links", '$')"#), "\(sql)")
        #expect(try await conditions.fetch().map(\.id) == visits.filter { !$0.links.isEmpty }.map(\.id))
        try await check(row.value.contains(2)) { visit in visit.value?.contains(2) == true }
        try await check(row.value.count == 3) { visit in visit.value != nil }
        try await check(row.value.count == nil) { visit in visit.value == nil }
    }

    @Test func theNullOfJSONIsNoArrayWithoutElements() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE visits SET place = json_set(place, '$.tags', NULL)") }
        let hasNone = row.place.tags.count == nil
        #expect(try await query.where { _ in hasNone }.count() == visits.count)
        #expect(try await query.where { $0.place.tags.isEmpty }.count() == 0)
    }

    @Test func aDateInJSONOfAnotherFormIsNamedAndIsNoBrokenJSON() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE visits SET home = json_set(home, '$.since', 'today')") }
        let error = await storageError { _ = try await query.where { $0.home.since > Date() }.fetch() }
        let message = error?.localizedDescription ?? ""
        #expect(message.contains("column 'home' of a row: JSON has something else where there is to be a date"))
    }

    @Test func rowsAreSortedAndPagedByValuesInJSON() async throws {
        let sorted = store.storage.query(Visit.self).orderBy({ $0.home.price }, .descending).orderBy(\.id)
        let expected = visits.sorted { ($1.home.price, $0.id) < ($0.home.price, $1.id) }.map(\.id)
        #expect(try await sorted.fetch().map(\.id) == expected, "\(seed)")
        let found = try await allPages { try await sorted.page(after: $0, limit: 7) }
        #expect(found.joined().map(\.id) == expected, "\(seed)")
    }

    // MARK: - Writing

    @Test func valuesAreSetAsTheEncoderWritesThem() async throws {
        let count = try await query.where { $0.isFlagged }.updateAll {
            [
                $0.place.city.set(to: "Lviv \"x\" 'y'"), $0.place.open.set(to: true), $0.place.name.set(to: nil),
                $0.place.since.set(to: Date(timeIntervalSince1970: 5)), $0.place.kind.set(to: .home),
                $0.place.price.set(to: Decimal(string: "98765432109876543210.5")!),
                $0.home.geo.set(to: Geo(latitude: 9, longitude: 8)), $0.home.houseNumber.set(to: 77),
            ]
        }
        let touched = visits.filter { $0.isFlagged && $0.place != nil }
        #expect(count == touched.count)
        for (old, new) in zip(visits, try await query.fetch()) {
            guard old.isFlagged, var place = old.place else {
                #expect(new == old)
                continue
            }
            place.city = "Lviv \"x\" 'y'"
            (place.open, place.name, place.kind) = (true, nil, .home)
            place.since = Date(timeIntervalSince1970: 5)
            place.price = Decimal(string: "98765432109876543210.5")!
            var home = old.home
            (home.geo, home.houseNumber) = (Geo(latitude: 9, longitude: 8), 77)
            #expect(new.place == place)
            #expect(new.home == home)
        }
    }

    @Test func aLimitAndAnOffsetCountRowsThatHaveNothingToSetAValueIn() async throws {
        let (rows, behind) = (query.limit(9).offset(3), query.limit(9).offset(3).where { $0.isFlagged })
        let left = visits.dropFirst(3).prefix(9)
        #expect(try await rows.updateAll { [$0.place.count.set(to: 77)] } == left.count { $0.place != nil })
        let changed = try await query.where { $0.place.count == 77 }.fetch().map(\.id)
        #expect(changed == left.filter { $0.place != nil }.map(\.id), "\(seed)")
        let flagged = left.count { $0.place != nil && $0.isFlagged }
        #expect(try await behind.updateAll { [$0.place.count.set(to: 78)] } == flagged, "\(seed)")
    }

    @Test func whatCannotBeSetIsRefused() async throws {
        for assignment in [row.place.city.set(to: nil), row.place.count.set(to: row.place.houseNumber)] {
            await #expect(throws: StorageError.self) { try await query.updateAll { _ in [assignment] } }
        }
        await #expect(throws: StorageError.self) {
            try await query.updateAll { [$0.place.city.set(to: "a"), $0.place.set(to: nil)] }
        }
        #expect(try await query.fetch() == visits)
    }

    @Test func brokenJSONIsAnErrorThatNamesTheColumn() async throws {
        try await store.db.write { db in try db.execute(sql: "UPDATE visits SET home = '{SECRET' WHERE id = 1") }
        let error = await storageError { _ = try await query.where { $0.home.city == "a" }.count() }
        let message = try #require(error?.localizedDescription)
        #expect(message.contains("'home'") && !message.contains("SECRET"), "\(message)")
    }

    @Test(arguments: [("since", "there is to be a date"), ("secret", "there is to be data")])
    func whatIsNeitherADateNorDataInJSONIsAnError(key: String, words: String) async throws {
        try await store.db.write { db in
            try db.execute(sql: "UPDATE visits SET home = json_set(home, '$.' || ?, '%')", arguments: [key])
        }
        let (isOld, isSecret) = (row.home.since == Date(timeIntervalSince1970: 0), row.home.secret == Data([1]))
        let condition = key == "since" ? isOld : isSecret
        await expectRefusal(words) { try await query.where { _ in condition }.count() }
    }

    @Test func onlyStoredPropertiesLeadSomewhere() async throws {
        let error = await storageError { _ = try await query.where { $0.home.hidden == "a" }.count() }
        #expect(error?.localizedDescription.contains("stored property") == true, "\(String(describing: error))")
    }
}

extension JSONPathTests.Place {
    fileprivate var hidden: String { city }
}
