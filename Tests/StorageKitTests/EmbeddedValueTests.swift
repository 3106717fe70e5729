import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Customer {
    var id: String
    var name: String
    @StorageEmbedded(prefix: "shipping_") var shippingAddress: PostalAddress
    @StorageEmbedded(prefix: "billing_") var billingAddress: PostalAddress?
}

@StorageEntity
struct Visit {
    var id: Int
    @StorageEmbedded var place: Venue
    @StorageEmbedded(prefix: "") var price: Money
}

/// Its value object is nested, so that the macro knows its fields.
@StorageEntity
struct Invoice {
    struct Line: Codable, Sendable {
        struct Unit: Codable, Sendable {
            var name: String
            var size: Double?
        }

        enum Kind: String, Codable, Sendable { case goods, work }

        var label: String
        var unitCode: String?
        var unit: Unit
        var kind: Kind
    }

    let id: UUID
    @StorageEmbedded(prefix: "first_") var line: Line
    @StorageEmbedded var last: Line?
}

extension Customer {
    init(_ id: String, city: String, billing: PostalAddress? = nil) {
        self.init(
            id: id, name: "name \(id)",
            shippingAddress: PostalAddress(street: "1 Street", city: city, zip: "01001", country: "UA"),
            billingAddress: billing)
    }
}

extension Visit {
    static func random(_ id: Int) -> Visit {
        var random = RandomValues(generator: SeededGenerator(seed: UInt64(id)))
        return Visit(id: id, place: random.place(), price: Money(amount: 1, currency: "EUR"))
    }
}

@Suite struct EmbeddedColumnTests {
    @Test func aValueBecomesColumnsInItsPlace() {
        #expect(
            CustomerRecord.schemaColumns.map(\.name) == [
                "id", "name", "shipping_street", "shipping_city", "shipping_zip", "shipping_country",
                "billing_street", "billing_city", "billing_zip", "billing_country", "updatedAt",
            ])
        #expect(
            CustomerRecord.schemaColumns.allSatisfy { $0.notNull != $0.name.hasPrefix("billing_") || $0.primaryKey })
    }

    @Test func deeperValuesJoinTheirPrefixesAndTheDefaultOneIsThePropertysName() {
        let columns = VisitRecord.schemaColumns.map { "\($0.name) \($0.type)\($0.notNull ? " NOT NULL" : "")" }
        #expect(
            columns == [
                "id INTEGER NOT NULL", "place_title TEXT NOT NULL", "place_point_latitude REAL NOT NULL",
                "place_point_longitude REAL NOT NULL", "place_backup_latitude REAL", "place_backup_longitude REAL",
                "place_level TEXT NOT NULL", "place_day INTEGER", "place_tags TEXT NOT NULL", "place_figure TEXT",
                "place_opened DATETIME NOT NULL", "place_token TEXT NOT NULL", "place_site TEXT",
                "place_size UNSIGNED BIG INT NOT NULL", "place_price DECIMAL_TEXT NOT NULL",
                "place_isOpen BOOLEAN NOT NULL",
                "place_isNew BOOLEAN NOT NULL", "place_post_code TEXT NOT NULL", "amount DECIMAL_TEXT NOT NULL",
                "currency TEXT NOT NULL", "updatedAt DATETIME NOT NULL",
            ])
    }

    @Test func theTableHoldsOneValueAColumn() async throws {
        let store = try TemporaryStore { $0.autoSchema(CustomerRecord.self) }
        try await store.storage.save(Customer("1", city: "Kyiv"))
        let values = try await store.db.read { db in
            try String.fetchOne(
                db, sql: "SELECT shipping_city || ' ' || shipping_zip || ' ' || (billing_city IS NULL) FROM customers")
        }
        #expect(values == "Kyiv 01001 1")
    }

    @Test func nilIsNullInAllColumnsAndBack() async throws {
        let store = try TemporaryStore { $0.autoSchema(CustomerRecord.self) }
        let billing = PostalAddress(street: "", city: "", zip: "", country: "")
        let customers = [Customer("1", city: "Kyiv"), Customer("2", city: "Lviv", billing: billing)]
        try await store.storage.save(customers)
        #expect(try await store.storage.all(Customer.self) == customers)
        try await store.storage.save(Customer("2", city: "Lviv"))
        #expect(try await store.storage.get(Customer.self, id: "2")?.billingAddress == nil)
    }

    @StorageEntity
    struct Profile {
        struct Links: Codable, Sendable, Equatable {
            var web: String?
            var mail: String?
        }

        var id: String
        @StorageEmbedded var links: Links?
        @StorageEmbedded(prefix: "own_") var own: Links
    }

    @Test func aValueOfNothingButNilReadsBackAsNilWhereItMayBeNil() async throws {
        let store = try TemporaryStore { $0.autoSchema(ProfileRecord.self) }
        let empty = Profile.Links()
        try await store.storage.save(Profile(id: "1", links: empty, own: empty))
        let found = try await store.storage.get(Profile.self, id: "1")
        #expect(found == Profile(id: "1", links: nil, own: empty))
    }

    @Test func anOptionalValueThatBeginsWithNilIsThereAllTheSame() async throws {
        let store = try TemporaryStore { $0.autoSchema(ProfileRecord.self) }
        let profile = Profile(id: "1", links: Profile.Links(mail: "a@b"), own: Profile.Links())
        try await store.storage.save(profile)
        #expect(try await store.storage.all(Profile.self) == [profile])
    }

    @StorageEntity
    struct Parcel {
        struct Box: Codable, Sendable {
            struct Marks: OptionSet, Codable, Sendable {
                let rawValue: Int
                static let fragile = Marks(rawValue: 1)
            }

            var width: Int
            var marks: Marks
        }

        var id: Int
        @StorageEmbedded var box: Box
    }

    @Test func aSetOfOptionsInsideAValueIsOneColumnUnderTheNameThatItHas() async throws {
        let store = try TemporaryStore { $0.autoSchema(ParcelRecord.self) }
        let fragile = Parcel(id: 1, box: .init(width: 2, marks: .fragile))
        try await store.storage.save([fragile, Parcel(id: 2, box: .init(width: 2, marks: []))])
        let found = try await store.storage.query(Parcel.self).where { $0.boxMarks == .fragile }.fetch()
        #expect(found == [fragile])
    }

    @Test func deeperValuesRoundTripWhetherTheyAreThereOrNot() async throws {
        let store = try TemporaryStore { $0.autoSchema(InvoiceRecord.self) }
        let unit = Invoice.Line.Unit(name: "kg", size: nil)
        let line = Invoice.Line(label: "flour", unitCode: nil, unit: unit, kind: .goods)
        for last in [nil, line] {
            let invoice = Invoice(id: UUID(), line: line, last: last)
            try await store.storage.save(invoice)
            #expect(try await store.storage.get(Invoice.self, id: invoice.id) == invoice)
        }
    }
}

@Suite struct EmbeddedQueryTests {
    private func customers() async throws -> TemporaryStore {
        let store = try TemporaryStore { $0.autoSchema(CustomerRecord.self) }
        let billing = PostalAddress(street: "9 Road", city: "Odesa", zip: "", country: "UA")
        try await store.storage.save([Customer("1", city: "Kyiv"), Customer("2", city: "Lviv", billing: billing)])
        return store
    }

    @Test func aColumnIsReachedByKeyPathByNameAndByItsSpelling() async throws {
        let store = try await customers()
        let query = store.storage.query(Customer.self)
        #expect(try await query.where { $0.shippingAddress.city == "Kyiv" }.fetch().map(\.id) == ["1"])
        #expect(try await query.where { Column<String>("shipping_city") == "Kyiv" }.fetch().map(\.id) == ["1"])
        #expect(try await query.where { $0.shippingCity == "Kyiv" }.fetch().map(\.id) == ["1"])
        #expect(try await query.where { $0.name != "" && $0.shippingCity > "Kyiv" }.fetch().map(\.id) == ["2"])
        #expect(try await query.where { $0.shippingCity.hasPrefix("Lv") }.fetch().map(\.id) == ["2"])
    }

    @StorageEntity
    struct Depot {
        var id: Int
        var placeCity: String
        @StorageEmbedded(prefix: "place_") var place: BoxPlace
    }

    @Test func ofTwoColumnsThatAreSpelledAlikeTheOneWithThatNameIsAsked() async throws {
        let store = try TemporaryStore { $0.autoSchema(DepotRecord.self) }
        try await store.storage.save(Depot(id: 1, placeCity: "K", place: BoxPlace(city: "L", floor: 1, tags: [])))
        let query = store.storage.query(Depot.self)
        #expect(try await query.where { $0.place_city == "L" }.count() == 1)
        #expect(try await query.where { $0.placeCity == "K" }.count() == 1)
    }

    /// What is not of a column's type finds a column by its spelling, which the compiler cannot check.
    @Test func aColumnAskedForAsAnotherTypeIsRefused() async throws {
        let store = try await customers()
        let query = store.storage.query(Customer.self)
        let reason = "column 'shipping_city' is of type 'String', and not 'Int'"
        let compared = await storageError { _ = try await query.where { $0.shippingCity == 3 }.count() }
        #expect(compared?.localizedDescription.contains(reason) == true)
        let raw = await storageError { _ = try await query.where { $0.shippingCity == Weekday.monday }.count() }
        #expect(raw?.localizedDescription.contains("and not 'Weekday'") == true)
        let assigned = await storageError { _ = try await query.updateAll { [$0.shippingCity.set(to: 3)] } }
        #expect(assigned?.localizedDescription.contains(reason) == true)
    }

    @Test func aColumnIsNotSetToWhatItsPropertyCannotBe() async throws {
        let store = try TemporaryStore { $0.autoSchema(MixedBoxRecord.self) }
        let box = MixedBox(
            id: 1, kind: .small, owner: UUID(), labels: ["a"], rooms: 3, place: BoxPlace(city: "K", floor: 1, tags: []))
        try await store.storage.save(box)
        let query = store.storage.query(MixedBox.self)
        await #expect(throws: StorageError.self) { try await query.updateAll { [$0.placeFloor.set(to: 1.5)] } }
        await #expect(throws: StorageError.self) {
            try await query.updateAll { _ in [Column<Double>("rooms").set(to: 1.5)] }
        }
        let text = await storageError { try await query.updateAll { [$0.placeKey.set(to: $0.placeCity)] } }
        #expect(
            text?.localizedDescription.contains("values of type UUID, and the expression is of type String") == true)
        await #expect(throws: StorageError.self) {
            try await query.updateAll { [Column<String>("owner").set(to: $0.placeCity)] }
        }
        #expect(try await query.updateAll { [$0.owner.set(to: $0.place.key)] } == 1)
        #expect(try await query.updateAll { [$0.placeFloor.set(to: 2), $0.rooms.set(to: 4)] } == 1)
        #expect(try await query.fetchOne()?.place.floor == 2)
    }

    @Test func aColumnOfAnEmbeddedValueIsAskedAsANumberOfAnotherTypeAndAsNothingElse() async throws {
        let store = try TemporaryStore { $0.autoSchema(MixedBoxRecord.self) }
        let query = store.storage.query(MixedBox.self)
        #expect(try await query.where { $0.placeFloor > 0.5 && $0.placeCity == "K" }.count() == 0)
        await #expect(throws: StorageError.self) { try await query.where { $0.placeTags.count == 2 }.count() }
        let place = BoxPlace(city: "K", floor: 3, tags: [])
        try await store.storage.save(
            MixedBox(id: 1, kind: .small, owner: UUID(), labels: [], rooms: 3, place: place))
        #expect(try await query.where { $0.placeFloor * 1.5 > 4.4 && $0.placeFloor * 1.5 < 4.6 }.count() == 1)
        #expect(try await query.select { 0.5 + $0.placeFloor }.fetch() == [3.5])
    }

    @Test func aColumnOfAnyTypeIsAskedByItsSpellingWhetherItHoldsAValue() async throws {
        let store = try await customers()
        let query = store.storage.query(Customer.self)
        #expect(try await query.where { $0.billingCity == nil }.fetch().map(\.id) == ["1"])
        #expect(try await query.where { $0.billingZip != nil && $0.shippingCity == "Lviv" }.fetch().map(\.id) == ["2"])
        #expect(try await query.where { $0.billingCity.isNull || $0.name == "" }.fetch().map(\.id) == ["1"])
        #expect(try await query.where { !$0.billingCity.isNotNull }.fetch().map(\.id) == ["1"])
        let error = await storageError { _ = try await query.where { $0.billingTown == nil }.count() }
        #expect(error?.localizedDescription.contains("billingTown") == true)
    }

    @Test func aSpellingIsAnOrderASelectionAndAKeyPath() async throws {
        let store = try await customers()
        let query = store.storage.query(Customer.self)
        #expect(try await query.orderBy({ $0.shippingCity }, .descending).fetch().map(\.id) == ["2", "1"])
        #expect(try await query.orderBy(\.shippingCity, .descending).fetch().map(\.id) == ["2", "1"])
        #expect(try await query.orderBy(\.id).select(\.shippingCity).fetch() == ["Kyiv", "Lviv"])
        let pairs = try await query.orderBy(\.id).select { ($0.id, $0.shippingCity) }.fetch()
        #expect(pairs.map(\.1) == ["Kyiv", "Lviv"])
    }

    @Test func anOptionalValueIsComparedWithNil() async throws {
        let store = try await customers()
        let query = store.storage.query(Customer.self)
        #expect(try await query.where { $0.billingAddress == nil }.fetch().map(\.id) == ["1"])
        #expect(try await query.where { $0.billingAddress != nil }.fetch().map(\.id) == ["2"])
        #expect(try await query.where { $0.billingAddress.city == "Odesa" }.fetch().map(\.id) == ["2"])
        #expect(try await query.where { $0.billingAddress.city != "Odesa" }.fetch().map(\.id) == ["1"])
    }

    @Test func aColumnOfAnOptionalValueIsNilWhereTheValueIs() async throws {
        let store = try await customers()
        let query = store.storage.query(Customer.self).orderBy("id")
        #expect(try await query.select(\.billingAddress.city).fetch() == [nil, "Odesa"])
        let pairs = try await query.select { ($0.id, $0.billingAddress.city) }.fetch()
        #expect(pairs.map(\.1) == [nil, "Odesa"])
        #expect(try await query.where { $0.billingAddress.city == nil }.fetch().map(\.id) == ["1"])
        let cities = store.storage.query(Customer.self).group(by: \.billingAddress.city).orderBy(\.billingAddress.city)
        #expect(try await cities.select { ($0.billingAddress.city, $0.count()) }.fetch().map(\.0) == [nil, "Odesa"])
    }

    @Test func aColumnOfAnOptionalValueInAValueIsNilWhereItIs() async throws {
        let store = try TemporaryStore { $0.autoSchema(VisitRecord.self) }
        let visits = (1...40).map { Visit.random($0) }
        try await store.storage.save(visits)
        let latitudes = try await store.storage.query(Visit.self).orderBy("id").select(\.place.backup.latitude).fetch()
        #expect(latitudes == visits.map { $0.place.backup?.latitude })
    }

    @Test func deeperOptionalsAreComparedWithNil() async throws {
        let store = try TemporaryStore { $0.autoSchema(VisitRecord.self, InvoiceRecord.self) }
        let visits = (1...40).map { Visit.random($0) }
        try await store.storage.save(visits)
        let query = store.storage.query(Visit.self).orderBy("id")
        #expect(try await query.where { $0.place.backup == nil }.fetch() == visits.filter { $0.place.backup == nil })
        #expect(try await query.where { $0.place.figure != nil }.fetch() == visits.filter { $0.place.figure != nil })
        #expect(try await query.where { $0.place.site == nil }.fetch() == visits.filter { $0.place.site == nil })
    }

    struct Yard: Codable, Equatable, Sendable {
        struct Spot: Codable, Equatable, Sendable { var x: Int; var note: String? }
        var name: String
        var spot: Spot
    }

    @StorageEntity
    struct Farm {
        var id: Int
        @StorageEmbedded var yard: Yard?
    }

    @Test func whatIsInsideAValueThatMayBeNilIsNilWithIt() async throws {
        let store = try TemporaryStore { $0.autoSchema(FarmRecord.self) }
        try await store.storage.save([
            Farm(id: 1, yard: nil), Farm(id: 2, yard: Yard(name: "a", spot: .init(x: 1, note: nil))),
        ])
        let query = store.storage.query(Farm.self)
        #expect(try await query.where { $0.yard.spot == nil }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.yard.spot != nil }.fetch().map(\.id) == [2])
    }

    struct Tray: Codable, Sendable {
        struct Pot: Codable, Sendable {
            struct Lid: Codable, Sendable { var size: Int }
            var width: Int
            var lid: Lid?
        }
        var pot: Pot?
    }

    @StorageEntity
    struct Kitchen {
        var id: Int
        @StorageEmbedded var tray: Tray
    }

    @Test func anOptionalInsideAnOptionalIsComparedWithNilByItself() async throws {
        let store = try TemporaryStore { $0.autoSchema(KitchenRecord.self) }
        try await store.storage.save([
            Kitchen(id: 1, tray: Tray(pot: nil)),
            Kitchen(id: 2, tray: Tray(pot: Tray.Pot(width: 1, lid: nil))),
            Kitchen(id: 3, tray: Tray(pot: Tray.Pot(width: 1, lid: Tray.Pot.Lid(size: 1)))),
        ])
        let query = store.storage.query(Kitchen.self).orderBy(\.id)
        let open = query.where { ($0.tray.pot.lid as OptionalEmbeddedColumns<Tray, Tray.Pot.Lid>) == nil }
        #expect(try await open.fetch().map(\.id) == [1, 2])
    }

    @Test func columnsSortByTheirNames() async throws {
        let store = try await customers()
        #expect(
            try await store.storage.all(Customer.self, orderBy: "shipping_city", ascending: false).map(\.id) == [
                "2", "1",
            ])
    }

    @Test func aSpellingThatStandsForNoColumnThrowsAndNamesTheNearest() async throws {
        let store = try await customers()
        let query = store.storage.query(Customer.self)
        let error = await storageError { _ = try await query.where { $0.shippingCitty == "Kyiv" }.fetch() }
        guard case .queryFailed = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        let message = try #require(error?.localizedDescription)
        #expect(message.contains("'customers' has no column 'shippingCitty'"))
        #expect(message.contains("did you mean 'shipping_city'?"))
        #expect(message.contains("billing_country"))
    }

    /// Every kind of field, each of which leads to its own column and no other.
    @Test func everyFieldIsFoundByItsKeyPathWhateverItsCodingKey() {
        func name<T>(_ column: (ColumnRef<Visit>) -> Column<T>) -> String { column(ColumnRef<Visit>()).columnName }
        #expect(name { $0.place.title } == "place_title")
        #expect(name { $0.place.point.latitude } == "place_point_latitude")
        #expect(name { $0.place.point.longitude } == "place_point_longitude")
        #expect(name { $0.place.backup.longitude } == "place_backup_longitude")
        #expect(name { $0.place.level } == "place_level")
        #expect(name { $0.place.day } == "place_day")
        #expect(name { $0.place.opened } == "place_opened")
        #expect(name { $0.place.token } == "place_token")
        #expect(name { $0.place.site } == "place_site")
        #expect(name { $0.place.size } == "place_size")
        #expect(name { $0.place.price } == "place_price")
        #expect(name { $0.place.isOpen } == "place_isOpen")
        #expect(name { $0.place.isNew } == "place_isNew")
        #expect(name { $0.place.postCode } == "place_post_code")
        #expect(name { $0.price.amount } == "amount")
        let flag: Column<Bool> = ColumnRef<Visit>().placeIsOpen
        #expect(flag.columnName == "place_isOpen")
        let spelled: Column<String> = ColumnRef<Visit>().placePostCode
        #expect(spelled.columnName == "place_post_code")
    }

    /// Looked at with a sample value, some of these would trap.
    @Test func whatIsNoStoredPropertyThrows() async throws {
        let store = try TemporaryStore { $0.autoSchema(VisitRecord.self) }
        let query = store.storage.query(Visit.self)
        let queries = [
            query.where { $0.place.shout == "X" }, query.where { $0.place.town == "X" },
            query.where { $0.place.firstTag == "X" }, query.where { $0.place.tags[3] == "X" },
            query.where { $0.place.mirror.latitude == 1 }, query.where { $0.place.mirror == nil },
        ]
        for query in queries {
            let error = await storageError { _ = try await query.fetch() }
            guard case .queryFailed = error else {
                Issue.record("unexpected: \(String(describing: error))")
                return
            }
            #expect(error?.localizedDescription.contains("'place': there is a step") == true)
        }
    }

    @Test func fieldsOfEveryKindAreComparedAsWhatTheyAre() async throws {
        let store = try TemporaryStore { $0.autoSchema(VisitRecord.self) }
        let visits = (1...60).map { Visit.random($0) }
        try await store.storage.save(visits)
        let query = store.storage.query(Visit.self).orderBy("id")
        let one = visits[7]
        func expect(_ found: [Visit], _ matches: (Visit) -> Bool, _ line: Int = #line) {
            #expect(found == visits.filter(matches), "line \(line)")
        }
        expect(try await query.where { $0.place.level == .middle }.fetch()) { $0.place.level == .middle }
        expect(try await query.where { $0.place.day == nil }.fetch()) { $0.place.day == nil }
        expect(try await query.where { $0.place.day != .monday }.fetch()) { $0.place.day != .monday }
        expect(try await query.where { $0.place.opened <= one.place.opened }.fetch()) {
            $0.place.opened <= one.place.opened
        }
        expect(try await query.where { $0.place.size > one.place.size }.fetch()) { $0.place.size > one.place.size }
        expect(try await query.where { $0.place.price < one.place.price }.fetch()) {
            $0.place.price < one.place.price
        }
        expect(try await query.where { $0.place.isOpen && !$0.place.isNew }.fetch()) {
            $0.place.isOpen && !$0.place.isNew
        }
        expect(try await query.where { $0.placeIsOpen && !$0.placeIsNew && $0.placePointLatitude < 5 }.fetch()) {
            $0.place.isOpen && !$0.place.isNew && $0.place.point.latitude < 5
        }
        expect(try await query.where { $0.place.token == one.place.token }.fetch()) {
            $0.place.token == one.place.token
        }
        expect(try await query.where { $0.place.backup.latitude > 0 }.fetch()) {
            $0.place.backup.map { $0.latitude > 0 } ?? false
        }
    }

    @Test func aNestedValueIsSpelledAsTheCompilerKnows() async throws {
        let store = try TemporaryStore { $0.autoSchema(InvoiceRecord.self) }
        let unit = Invoice.Line.Unit(name: "kg", size: 2)
        let line = Invoice.Line(label: "flour", unitCode: "k", unit: unit, kind: .goods)
        let invoice = Invoice(id: UUID(), line: line, last: nil)
        try await store.storage.save(invoice)
        let query = store.storage.query(Invoice.self)
        let first = query.where {
            $0.firstLabel == "flour" && $0.firstUnitName == "kg" && $0.firstUnitSize == 2 && $0.firstKind == .goods
                && $0.firstUnitCode == "k"
        }
        #expect(try await first.fetch() == [invoice])
        #expect(try await query.where { $0.lastLabel == nil && $0.lastUnitName == nil }.fetch() == [invoice])
        #expect(try await query.where { $0.lastKind == .work }.fetch() == [])
    }
}

struct BoxPlace: Codable, Sendable, Equatable {
    var city: String
    var floor: Int
    var tags: [String]
    var key = UUID()
}

@StorageEntity
struct MixedBox {
    enum Kind: String, Codable, Sendable { case small }
    var id: Int
    var kind: Kind
    var owner: UUID
    var labels: [String]
    var rooms: Int
    @StorageEmbedded(prefix: "place") var place: BoxPlace
}
