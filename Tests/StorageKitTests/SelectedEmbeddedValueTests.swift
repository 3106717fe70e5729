import Foundation
import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
private struct Letter {
    var id: Int
    @StorageReference(Customer.self) var senderId: String?
    @StorageEmbedded(prefix: "") var postage: Money
}

@StorageEntity
private struct Postmark {
    var id: Int
    @StorageReference(Letter.self) var letterId: Int
}

extension ColumnRef<Letter> {
    fileprivate var home: OptionalEmbeddedColumns<PostalAddress, PostalAddress> { self.sender.shippingAddress }
}

@StorageSelection
private struct LetterRow: Equatable, Sendable {
    let id: Int
    let postage: Money
    let from: PostalAddress?
}

private struct Cost: Codable, Equatable, Sendable {
    var amount: Int
}

@StorageEntity
private struct Sticker {
    var id: Int
    @StorageEmbedded(prefix: "cost_") var cost: Cost
}

@StorageSelection
private struct StickerRow: Equatable, Sendable {
    let id: Int
    let cost: Cost
}

/// Embedded values that are selected as a whole.
@Suite struct SelectedEmbeddedValueTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    private let home = PostalAddress(street: "1 Street", city: "Kyiv", zip: "01001", country: "UA")
    private let office = PostalAddress(street: "2 Street", city: "Lviv", zip: "79000", country: "UA")

    init() async throws {
        store = try TemporaryStore { schema in
            schema.autoSchema(
                CustomerRecord.self, VisitRecord.self, InvoiceRecord.self, LetterRecord.self, PostmarkRecord.self)
        }
        try await storage.save([
            Customer(id: "a", name: "Ada", shippingAddress: home, billingAddress: nil),
            Customer(id: "b", name: "Bea", shippingAddress: office, billingAddress: home),
        ])
        try await storage.save([
            Letter(id: 1, senderId: "a", postage: Money(amount: 1, currency: "EUR")),
            Letter(id: 2, senderId: nil, postage: Money(amount: 2, currency: "UAH")),
        ])
    }

    @Test func aValueIsSelectedBesideOthers() async throws {
        let rows = try await storage.query(Customer.self).orderBy(\.id)
            .select { ($0.name, $0.shippingAddress, $0.billingAddress, $0.id) }.fetch()
        #expect(rows.map(\.0) == ["Ada", "Bea"] && rows.map(\.3) == ["a", "b"])
        #expect(rows.map(\.1) == [home, office])
        #expect(rows.map(\.2) == [nil, home])
    }

    @Test func aValueBehindAPathThatTheAppNamesIsThatOfTheRowThere() async throws {
        try await storage.save([Postmark(id: 1, letterId: 1), Postmark(id: 2, letterId: 2)])
        let postmarks = storage.query(Postmark.self).orderBy(\.id)
        #expect(try await postmarks.where { $0.letter.home.city == "Kyiv" }.fetch().map(\.id) == [1])
        #expect(try await postmarks.select { $0.letter.home }.fetch() == [home, nil])
    }

    @Test func aValueIsSelectedAlone() async throws {
        let selection = storage.query(Customer.self).orderBy(\.id).select { $0.shippingAddress }
        #expect(try await selection.fetch() == [home, office])
        let cities = storage.query(Customer.self).select { $0.shippingAddress }.distinct()
        #expect(try await cities.count() == 2)
        let page = try await selection.page(limit: 1)
        #expect(page.items == [home])
        #expect(try await selection.page(after: page.next, limit: 1).items == [office])
    }

    @Test func aValueBehindAReferenceIsNilWhereThereIsNoRow() async throws {
        let rows = try await storage.query(Letter.self).orderBy(\.id)
            .select { LetterRow.columns(id: $0.id, postage: $0.postage, from: $0.sender.shippingAddress) }.fetch()
        #expect(
            rows == [
                LetterRow(id: 1, postage: Money(amount: 1, currency: "EUR"), from: home),
                LetterRow(id: 2, postage: Money(amount: 2, currency: "UAH"), from: nil),
            ])
    }

    @Test func rowsWithAValueOfSeveralColumnsAreNotAskedAgain() async throws {
        let rows = storage.query(Letter.self)
            .select { LetterRow.columns(id: $0.id, postage: $0.postage, from: $0.sender.shippingAddress) }
        let error = await storageError { _ = try await rows.asQuery().fetch() }
        #expect(error?.localizedDescription.contains("no embedded value") == true, "\(error as Any)")
    }

    @Test func norAreThoseWithAValueOfOneColumn() async throws {
        let store = try TemporaryStore { $0.autoSchema(StickerRecord.self) }
        try await store.storage.save(Sticker(id: 1, cost: Cost(amount: 12)))
        let rows = store.storage.query(Sticker.self).select { StickerRow.columns(id: $0.id, cost: $0.cost) }
        #expect(try await rows.fetch() == [StickerRow(id: 1, cost: Cost(amount: 12))])
        let error = await storageError { _ = try await rows.asQuery().where { $0.cost.amount > 10 }.fetch() }
        #expect(error?.localizedDescription.contains("no embedded value") == true, "\(error as Any)")
    }

    @Test func aValueInAValueIsSelected() async throws {
        let visits = (1...20).map { Visit.random($0) }
        try await storage.save(visits)
        let rows = try await storage.query(Visit.self).orderBy(\.id)
            .select { ($0.place.point, $0.place.backup, $0.place.tags, $0.place.figure, $0.id) }.fetch()
        #expect(rows.map(\.0) == visits.map(\.place.point))
        #expect(rows.map(\.1) == visits.map(\.place.backup))
        #expect(rows.map(\.2) == visits.map(\.place.tags))
        #expect(rows.map(\.3) == visits.map(\.place.figure))
        #expect(rows.map(\.4) == visits.map(\.id))
    }

    @Test func aValueThatCannotBeReadIsAnErrorThatNamesTheColumn() async throws {
        try await storage.save(Visit.random(1))
        try await store.db.write { db in try db.execute(sql: "UPDATE visits SET place_point_latitude = 'north'") }
        for error in [
            await storageError { _ = try await storage.query(Visit.self).select { $0.place.point }.fetch() },
            await storageError { _ = try await storage.query(Visit.self).select { ($0.id, $0.place) }.fetch() },
        ] {
            #expect("\(try #require(error))".contains("place_point_latitude"), "\(String(describing: error))")
        }
    }

    @Test func aPropertyThatIsNotStoredIsRefused() async throws {
        let error = await storageError {
            _ = try await storage.query(Visit.self).select { ($0.id, $0.place.mirror) }.fetch()
        }
        guard case .queryFailed? = error else { throw error ?? Missing() }
    }
}
