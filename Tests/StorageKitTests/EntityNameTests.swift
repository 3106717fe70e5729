import StorageKit
import StorageTestSupport
import Testing

/// Entities under names that Swift, Foundation, GRDB or StorageKit use too, each with properties of the real ones.
enum Clashing {
    @StorageEntity
    struct Task {
        var id: String
        var at: Foundation.Date
    }

    @StorageEntity
    struct Column {
        var id: String
        var at: Foundation.Date?
    }

    @StorageEntity
    struct Order {
        var id: String
        @StorageEmbedded var total: Money
    }

    @StorageEntity
    struct Group {
        var id: String
        @StorageHasMany(foreignKey: "group") var tasks: [Task]
    }

    @StorageEntity
    struct Result {
        var id: String
        @StorageJSON var values: [Int]
    }

    @StorageEntity
    struct Database {
        var id: String
        var names: [String]
    }

    @StorageEntity
    struct Record {
        var id: Int
        @StorageEmbedded var value: Value

        struct Value: Codable, Sendable { var Record: Int }
    }

    @StorageEntity
    struct StorageColumns {
        var id: Int
        var storageColumns: Int
    }

    @StorageEntity
    struct Inner {
        var id: Int
        var Inner: Int
    }

    @StorageEntity
    struct Stall {
        enum E: String, Codable, Sendable { case fruit, cheese }

        var id: String
        var kind: E
        @StorageEmbedded var price: Money
    }

    @StorageEntity
    struct `case` {
        var id: Int
        var `self`: Int
        var `init`: Int
    }
}

/// A value under the name of a column type, which the entity sees first.
enum ClashingValue {
    @StorageEntity
    struct Trip {
        var id: String
        @StorageEmbedded var date: Date
        @StorageJSON var data: Data
        var url: URL?

        struct Date: Codable, Sendable { var from: Int }
        struct Data: Codable, Sendable { var size: Int }
        struct URL: Codable, Sendable { var host: String }
    }
}

/// Types beside the entity, under the names of column types.
enum ClashingSiblings {
    struct Double: Codable, Sendable, Equatable { var metres: Swift.Int }
    enum Date: Swift.String, Codable, Sendable { case today, tomorrow }
    enum Int: UInt8, Codable, Sendable { case one = 1, two }

    @StorageEntity
    struct Walk {
        var id: Swift.String
        var length: Double
        var breadth: Double?
        var day: Date
        var night: Date?
        var count: Int?
    }
}

/// Properties under the names of types, the entity's own among them.
@StorageEntity
struct NamedLikeTypes {
    enum Kind: Swift.Int, Codable, Sendable { case one }

    var id: String
    var Int: Int?
    var String: String?
    var Date: Date?
    var Swift: [Int]
    var Foundation: UUID?
    var E: Int?
    var Kind: Kind?
    var `self`: Bool
}

// These change what the names mean to their neighbours.

enum ClashingDate {
    @StorageEntity
    struct Date {
        var id: String
        var at: Foundation.Date
        var level: Level?
    }
}

enum ClashingString {
    @StorageEntity
    struct String {
        var id: Swift.String
        var text: Swift.String
    }
}

@Suite struct EntityNameTests {
    private func expectRoundTrip<E: RegisteredEntity>(_ entity: E, table: String) async throws {
        #expect(E.Record.databaseTableName == table)
        let store = try TemporaryStore { $0.autoSchema(E.Record.self) }
        try await store.storage.save(entity)
        #expect(try await store.storage.all(E.self) == [entity])
    }

    @Test func task() async throws {
        try await expectRoundTrip(Clashing.Task(id: "1", at: .distantPast), table: "tasks")
    }

    @Test func column() async throws {
        try await expectRoundTrip(Clashing.Column(id: "1", at: nil), table: "columns")
    }

    @Test func order() async throws {
        try await expectRoundTrip(Clashing.Order(id: "1", total: Money(amount: 1, currency: "EUR")), table: "orders")
    }

    @Test func group() async throws {
        try await expectRoundTrip(Clashing.Group(id: "1"), table: "groups")
    }

    @Test func result() async throws {
        try await expectRoundTrip(Clashing.Result(id: "1", values: [1]), table: "results")
    }

    @Test func database() async throws {
        try await expectRoundTrip(Clashing.Database(id: "1", names: ["a"]), table: "databases")
    }

    @Test func string() async throws {
        try await expectRoundTrip(ClashingString.String(id: "1", text: "t"), table: "strings")
    }

    @Test func record() async throws {
        try await expectRoundTrip(Clashing.Record(id: 1, value: .init(Record: 2)), table: "records")
    }

    @Test func storageColumns() async throws {
        try await expectRoundTrip(Clashing.StorageColumns(id: 1, storageColumns: 2), table: "storagecolumnss")
    }

    @Test func aPropertyNamedLikeItsNestedEntity() async throws {
        try await expectRoundTrip(Clashing.Inner(id: 1, Inner: 2), table: "inners")
    }

    @Test func aNestedTypeCalledAsTheRecordCallsTheEntity() async throws {
        let stall = Clashing.Stall(id: "1", kind: .fruit, price: Money(amount: 1, currency: "EUR"))
        try await expectRoundTrip(stall, table: "stalls")
        let store = try TemporaryStore { $0.autoSchema(Clashing.StallRecord.self) }
        try await store.storage.save(stall)
        let found = try await store.storage.query(Clashing.Stall.self)
            .where { $0.kind == .fruit && $0.priceCurrency == "EUR" }.fetch()
        #expect(found == [stall])
    }

    @Test func date() async throws {
        try await expectRoundTrip(ClashingDate.Date(id: "1", at: .distantFuture, level: .low), table: "dates")
    }

    @Test func propertiesNamedLikeTypes() async throws {
        let entity = NamedLikeTypes(
            id: "1", Int: 2, String: "s", Date: .distantPast, Swift: [3], Foundation: UUID(), E: 4, Kind: .one,
            self: true)
        try await expectRoundTrip(entity, table: "namedliketypess")
        let record = NamedLikeTypesRecord(id: "1", Int: 2, Swift: [3], self: false, updatedAt: .distantPast)
        #expect(record.asEntity().E == nil && record.Int == 2 && record.self.Swift == [3])
    }

    @Test func siblingsNamedLikeColumnTypes() async throws {
        let walk = ClashingSiblings.Walk(
            id: "1", length: .init(metres: 5), breadth: .init(metres: 2), day: .today, night: .tomorrow, count: .two)
        try await expectRoundTrip(walk, table: "walks")
        let bare = ClashingSiblings.Walk(
            id: "2", length: .init(metres: 5), breadth: nil, day: .tomorrow, night: nil, count: nil)
        try await expectRoundTrip(bare, table: "walks")
        let types = ClashingSiblings.WalkRecord.schemaColumns.map(\.type)
        #expect(types == ["TEXT", "TEXT", "TEXT", "TEXT", "TEXT", "INTEGER", "DATETIME"])
        let store = try TemporaryStore { $0.autoSchema(ClashingSiblings.WalkRecord.self) }
        try await store.storage.save([walk, bare])
        let found = try await store.storage.query(ClashingSiblings.Walk.self).where { $0.night == .tomorrow }.fetch()
        #expect(found == [walk])
    }

    @Test func valuesNamedLikeColumnTypes() async throws {
        let trip = ClashingValue.Trip(id: "1", date: .init(from: 1), data: .init(size: 2), url: .init(host: "h"))
        try await expectRoundTrip(trip, table: "trips")
        #expect(ClashingValue.TripRecord.schemaColumns.map(\.name) == ["id", "date_from", "data", "url", "updatedAt"])
    }

    @Test func keyword() async throws {
        try await expectRoundTrip(Clashing.case(id: 1, self: 2, init: 3), table: "cases")
    }
}
