import StorageKit
import StorageTestSupport
import Testing

/// Values inside JSON whose place or form is not what it looks like.
@Suite struct JSONValueTests {
    struct Street: Codable, Sendable, Equatable { var name: String }

    struct Flag: Codable, Sendable, Equatable { var note: String? }

    struct Email: Codable, Sendable, Equatable {
        var text: String

        init(_ text: String) { self.text = text }
        init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    struct Sale: Codable, Sendable, Equatable {
        var total: Double
        var quantity: Double
        var email: Email
        var label: AnyCodable
    }

    struct Home: Codable, Sendable, Equatable {
        var street: Street
        var second: Street?
        var flag: Flag?
        var number: Int
        var ratio: Float
        var rate: Float?
    }

    @StorageEntity(table: "jsonhomes")
    struct Residence: Equatable {
        var id: Int
        @StorageJSON var home: Home
        @StorageJSON var sizes: [UInt64]
        @StorageJSON var amounts: [Decimal]
        @StorageJSON var ratios: [Float]
    }

    @StorageEntity(table: "jsonsales")
    struct Deal: Equatable {
        var id: Int
        @StorageJSON var sale: Sale
        var share: Float
        var name: String
    }

    /// Its fields stand deeper in JSON than in Swift.
    struct Place: Codable, Sendable, Equatable {
        var zip: String
        var email: Email

        private struct Address: Codable {
            var zip: String
            var email: Email
        }
        private enum CodingKeys: String, CodingKey { case address }

        init(zip: String, email: Email) { (self.zip, self.email) = (zip, email) }
        init(from decoder: any Decoder) throws {
            let address = try decoder.container(keyedBy: CodingKeys.self).decode(Address.self, forKey: .address)
            (zip, email) = (address.zip, address.email)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Address(zip: zip, email: email), forKey: .address)
        }
    }

    @StorageEntity(table: "jsonplaces")
    struct Stop: Equatable {
        var id: Int
        @StorageJSON var place: Place
    }

    struct Drink: Codable, Sendable, Equatable {
        enum Size: String, Codable, Sendable { case small, large }
        var size: Size?
        var count: Int
    }

    @StorageEntity(table: "jsontabs")
    struct Tab: Equatable {
        var id: Int
        @StorageJSON var drink: Drink
    }

    private let store: TemporaryStore
    private let fine = Decimal(string: "0.12345678901234567890123") ?? 0
    private var query: Query<Residence> { store.storage.query(Residence.self).orderBy(\.id) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(ResidenceRecord.self, DealRecord.self, StopRecord.self) }
        try await store.storage.save([
            Residence(
                id: 1,
                home: Home(
                    street: Street(name: "Main"), second: Street(name: "Side"), flag: Flag(note: nil), number: 1,
                    ratio: 0.1,
                    rate: 0.7),
                sizes: [.max, 5], amounts: [fine, 2], ratios: [0.1]),
            Residence(
                id: 2, home: Home(street: Street(name: "Low"), number: 2, ratio: 0.5), sizes: [], amounts: [],
                ratios: [0.25]),
        ])
    }

    @Test func aValueWithOneFieldIsSetAsAWhole() async throws {
        try await query.updateAll { [$0.home.street.set(to: Street(name: "High"))] }
        #expect(try await query.fetch().map(\.home.street.name) == ["High", "High"])
        try await query.updateAll { [$0.home.second.set(to: nil)] }
        #expect(try await query.fetch().map(\.home.second) == [nil, nil])
    }

    @Test func aValueWithOneFieldIsSelectedAsAWhole() async throws {
        #expect(try await query.select { $0.home.street }.fetch() == [Street(name: "Main"), Street(name: "Low")])
    }

    @Test func aValueWhoseOneFieldIsNilIsThere() async throws {
        #expect(try await query.where { $0.home.flag.isNull }.fetch().map(\.id) == [2])
    }

    @Test func elementsAreFoundByAllTheirDigits() async throws {
        #expect(try await query.where { $0.sizes.contains(.max) }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.sizes.contains(5) }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.sizes.contains(6) }.fetch().isEmpty)
        #expect(try await query.where { $0.amounts.contains(fine) }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.amounts.contains(2) }.fetch().map(\.id) == [1])
    }

    @Test func numbersOfSinglePrecisionAreComparedAsSuch() async throws {
        #expect(try await query.where { $0.home.ratio == 0.1 }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.home.rate == 0.7 }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.home.ratio <= 0.1 }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.ratios.contains(0.1) }.fetch().map(\.id) == [1])
    }

    @Test func whatJSONCannotHoldIsAnErrorOfTheQuery() async throws {
        let error = await #expect(throws: StorageError.self) {
            try await query.where { $0.ratios.contains(.infinity) }.count()
        }
        #expect(error?.localizedDescription.contains("'ratios'") == true)
    }

    @Test func anElementThatIsNoNumberIsEqualToNone() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE jsonhomes SET ratios = '[\"inf\",0.1]' WHERE id = 1") }
        #expect(try await query.where { $0.ratios.contains(0.1) }.count() == 1)
    }

    @Test func anElementWithASignIsNoneWithoutSign() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE jsonhomes SET sizes = '[-1]' WHERE id = 1") }
        await expectRefusal("an integer without sign") { try await query.where { $0.sizes.contains(5) }.count() }
    }

    private func deal(_ label: AnyCodable = 5) async throws -> Query<Deal> {
        let sale = Sale(total: 5, quantity: 2, email: Email("a@b"), label: label)
        try await store.storage.save(Deal(id: 1, sale: sale, share: 0.1, name: "STRA\u{1E9E}E"))
        return store.storage.query(Deal.self)
    }

    @Test func wholeNumbersWithAFractionAreDividedAsSuch() async throws {
        let query = try await deal()
        #expect(try await query.select { $0.sale.total / $0.sale.quantity }.fetch() == [2.5])
        #expect(try await query.where { $0.sale.total / $0.sale.quantity > 2.2 }.count() == 1)
    }

    @Test func aValueOfAnyFormIsSelectedFromJSON() async throws {
        let query = try await deal()
        #expect(try await query.select { $0.sale.email }.fetch() == [Email("a@b")])
        for label: AnyCodable in [5, "red", [1], true, 1.5, nil] {
            #expect(try await deal(label).select { $0.sale.label }.fetch() == [label])
        }
    }

    @Test func aCalculatedNumberOfSinglePrecisionIsOneInTheRow() async throws {
        let query = try await deal()
        try await query.updateAll { [$0.share.set(to: $0.share * 3)] }
        let share = try #require(try await query.fetchOne()?.share)
        #expect(try await query.where { $0.share == share }.count() == 1)
    }

    @Test func aPropertyThatStandsDeeperInJSONIsFoundThere() async throws {
        try await store.storage.save(Stop(id: 1, place: Place(zip: "1", email: Email("a@b"))))
        let query = store.storage.query(Stop.self)
        #expect(try await query.where { $0.place.zip == "1" }.count() == 1)
        #expect(try await query.select { $0.place.email }.fetch() == [Email("a@b")])
        try await query.updateAll { [$0.place.email.set(to: Email("c@d"))] }
        #expect(try await query.fetch().map(\.place) == [Place(zip: "1", email: Email("c@d"))])
    }

    @Test func whatIsNoNumberInJSONIsNotTakenForZero() async throws {
        let store = try TemporaryStore(
            options: {
                $0.configureEncoder = {
                    $0.nonConformingFloatEncodingStrategy = .convertToString(
                        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
                }
            }
        ) { $0.autoSchema(DealRecord.self) }
        let sale = Sale(total: .infinity, quantity: 2, email: Email("a@b"), label: 5)
        try await store.storage.save(Deal(id: 1, sale: sale, share: 0.1, name: ""))
        let query = store.storage.query(Deal.self)
        #expect(try await query.where { $0.sale.total == 0 }.count() == 0)
        await #expect(throws: StorageError.self) { try await query.select { $0.sale.total }.fetch() }
    }

    @Test func aRawValueInJSONIsSetToNil() async throws {
        let store = try TemporaryStore { $0.autoSchema(TabRecord.self) }
        try await store.storage.save(Tab(id: 1, drink: Drink(size: .large, count: 2)))
        let query = store.storage.query(Tab.self)
        #expect(try await query.where { $0.drink.size == Drink.Size.large }.count() == 1)
        try await query.updateAll { [($0.drink.size as Column<Drink.Size?>).set(to: nil)] }
        #expect(try await query.fetch().map(\.drink) == [Drink(size: nil, count: 2)])
    }

    @Test func theGreatLetterOfTwoIsFoundAsTheSmallOne() async throws {
        let query = try await deal()
        #expect(try await query.where { $0.name.equalsIgnoringCase("stra\u{DF}e") }.count() == 1)
        #expect(try await query.where { $0.name.contains("STRASSE", ignoringCase: true) }.count() == 1)
    }

    @Test(arguments: [0x1p60, 0x1p63, -0x1p62, 1e300, 0.5]) func aGreatNumberComesBackAsItIs(number: Double)
        async throws
    {
        #expect(try await deal(.double(number)).fetchOne()?.sale.label == .double(number))
    }

    @Test func differentRowsArePagedByWhatIsSelectedAlone() async throws {
        let numbers = query.orderBy(\.id, .descending).select { $0.home.number }.distinct()
        await #expect(throws: StorageError.self) { try await numbers.fetch() }
        await #expect(throws: StorageError.self) { try await numbers.page(limit: 10) }
        await #expect(throws: StorageError.self) { for try await _ in numbers.stream() {} }
    }

    @Test func textsThatDifferInTheirBytesAloneStandInOneOrder() async throws {
        let names = ["\u{E9}", "e\u{301}", "f", "g"]
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
            try await query.deleteAll()
            try await store.storage.save(
                order.map { number in
                    Residence(
                        id: number, home: Home(street: Street(name: names[number]), number: 0, ratio: 0), sizes: [],
                        amounts: [],
                        ratios: [])
                })
            let sorted = try await store.storage.query(Residence.self)
                .orderBy { $0.home.street.name.collated(.caseInsensitive) }.fetch()
            #expect(sorted.map(\.id) == [1, 2, 3, 0])
            let groups = try await store.storage.query(Residence.self)
                .group { $0.home.street.name.collated(.caseInsensitive) }.select { $0.count() }.fetch()
            #expect(groups == [1, 1, 1, 1])
        }
    }

    @Test func decimalsInAnArrayAreFoundHoweverTheyAreSpelledAndBesideNull() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE jsonhomes SET amounts = '[null, 2.50]' WHERE id = 2") }
        #expect(try await query.where { $0.amounts.contains(2.5) }.select(\.id).fetch() == [2])
        #expect(try await query.where { $0.amounts.contains(3) }.count() == 0)
    }
}
