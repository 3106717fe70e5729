import StorageKit
import StorageTestSupport
import Testing

// Value objects declared outside any entity, as the documents have them.

struct PostalAddress: Codable, Sendable {
    var street: String
    var city: String
    var zip: String
    var country: String
}

struct Money: Codable, Sendable, Equatable {
    var amount: Decimal
    var currency: String
}

struct GeoPoint: Embeddable {
    var latitude: Double
    var longitude: Double
}

enum Level: String, Codable, Sendable {
    case low, middle, high
}

enum Weekday: Int, Codable, Sendable {
    case monday = 1, tuesday
}

enum Figure: Codable, Sendable, Equatable {
    case circle(radius: Double)
    case named(String)
}

struct Place: Codable, Sendable, Equatable {
    var title: String
    var point: GeoPoint
    var backup: GeoPoint?
    var level: Level
    var day: Weekday?
    var tags: [String]
    var figure: Figure?
    var opened: Date
    var token: UUID
    var site: URL?
    var big: UInt64
    var price: Decimal
    var flag: Bool
    var other: Bool
    var postCode: String

    enum CodingKeys: String, CodingKey {
        case title, point, backup, level, day, tags, figure, opened, token, site, big, price, flag, other
        case postCode = "zip_code"
    }

    var shout: String { title.uppercased() }
}

@StorageEntity
struct Customer {
    var id: String
    var name: String

    @StorageEmbedded(prefix: "shipping_")
    var shippingAddress: PostalAddress

    @StorageEmbedded(prefix: "billing_")
    var billingAddress: PostalAddress?
}

@StorageEntity
struct Visit {
    var id: Int
    @StorageEmbedded
    var place: Place
    @StorageEmbedded(prefix: "")
    var price: Money
}

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
    var id: UUID
    @StorageEmbedded(prefix: "first_")
    var line: Line
    @StorageEmbedded
    var last: Line?
}

@Suite struct EmbeddedValueTests {
    @Test func a() async throws {
        let store = try TemporaryStore { $0.autoSchema(CustomerRecord.self, VisitRecord.self, InvoiceRecord.self) }
        print(
            CustomerRecord.schemaColumns.map(\.name),
            VisitRecord.schemaColumns.map { "\($0.name) \($0.type) \($0.notNull)" },
            InvoiceRecord.schemaColumns.map(\.name))
        let c = Customer(
            id: "1", name: "a", shippingAddress: .init(street: "s", city: "Kyiv", zip: "z", country: "c"),
            billingAddress: nil)
        try await store.storage.save(c)
        #expect(try await store.storage.get(Customer.self, id: "1") == c)
        #expect(
            try await store.storage.query(Customer.self).where {
                $0.shippingCity == "Kyiv" && $0.shippingAddress.city == "Kyiv" && $0.billingAddress == nil
                    && $0.billingAddress.city == "x"
            }.count() == 0)
        #expect(
            try await store.storage.query(Customer.self).where {
                $0.shippingCity == "Kyiv" && $0.shippingAddress.city == "Kyiv" && $0.billingAddress == nil
            }.fetch() == [c])
        #expect(
            try await store.storage.query(Visit.self).where {
                $0.place.flag && !$0.place.other && $0.place.postCode == "a" && $0.place.point.latitude > 1
                    && $0.place.backup.longitude < 1 && $0.place.level == .low && $0.place.day == nil
                    && $0.place.day == .tuesday && $0.placePointLatitude > 3 && $0.amount > 3
            }.count() == 0)
        #expect(
            try await store.storage.query(Invoice.self).where {
                $0.firstLabel == "x" && $0.firstUnitName == "c" && $0.lastUnitSize == 1 && $0.line.unit.name == "c"
                    && $0.lastKind == .goods && $0.firstKind == .goods
            }.count() == 0)
    }
}
