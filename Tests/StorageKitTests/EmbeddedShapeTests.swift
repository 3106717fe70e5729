import StorageKit
import StorageTestSupport
import Testing

/// Value types of unusual shape: what they can hold, and what is said of those that cannot be columns.
@Suite struct EmbeddedShapeTests {
    // MARK: Shapes that work

    /// Codes itself, under names of its own.
    struct Span: Codable, Sendable, Equatable {
        let start: Date
        let length: Double

        init(start: Date, length: Double) {
            self.start = start
            self.length = length
        }

        enum Keys: String, CodingKey { case from, until }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            start = try container.decode(Date.self, forKey: .from)
            length = try container.decode(Date.self, forKey: .until).timeIntervalSince(start)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(start, forKey: .from)
            try container.encode(start.addingTimeInterval(length), forKey: .until)
        }
    }

    /// Refuses what is no address, so that it has to name a sample.
    struct Email: Codable, Sendable, Equatable, SampleProviding {
        let text: String
        static let sample = Email(text: "a@b")

        init(text: String) { self.text = text }

        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
            guard text.contains("@") else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no @"))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    struct Settings: Codable, Sendable, Equatable {
        let version = 3
        var zone: TimeZone
        var mail: Email?
        var bounds: ClosedRange<Int>
        var names: [String: Int]
        var numbers: Set<Int>
        var mode: Mode
        var single: Single
        var any: AnyCodable
        var time: Duration

        enum Mode: UInt8, Codable, Sendable { case off = 7, on = 9 }
        enum Single: String, Codable, Sendable { case only }

        private enum CodingKeys: String, CodingKey {
            case zone, mail, bounds, names, numbers, mode, single, any, time
        }
    }

    final class Box: Codable, Sendable, Equatable {
        let label: String
        init(_ label: String) { self.label = label }
        static func == (lhs: Box, rhs: Box) -> Bool { lhs.label == rhs.label }
    }

    struct Pair<Element: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
        var first: Element
        var second: Element?
    }

    @StorageEntity
    struct Couple {
        var id: String
        @StorageEmbedded var numbers: Pair<Int>
        @StorageEmbedded var texts: Pair<String>?
        @StorageEmbedded var points: Pair<GeoPoint>
        var days: Pair<Weekday>
    }

    @Test func genericValuesAreEmbeddedByTheirArguments() async throws {
        let store = try TemporaryStore { $0.autoSchema(CoupleRecord.self) }
        let columns =
            "id numbers_first numbers_second texts_first texts_second points_first_latitude points_first_longitude "
            + "points_second_latitude points_second_longitude days updatedAt"
        #expect(CoupleRecord.schemaColumns.map(\.name).joined(separator: " ") == columns)
        let point = GeoPoint(latitude: 1, longitude: 2)
        let couple = Couple(
            id: "1", numbers: Pair(first: 1), texts: Pair(first: "a", second: "b"), points: Pair(first: point),
            days: Pair(first: .monday))
        try await store.storage.save(couple)
        #expect(try await store.storage.get(Couple.self, id: "1") == couple)
        #expect(try await store.storage.query(Couple.self).where { $0.points.second.latitude == 1 }.count() == 0)
        #expect(try await store.storage.query(Couple.self).where { $0.texts.second == "b" }.count() == 1)
    }

    @StorageEntity
    struct Session {
        var id: String
        @StorageEmbedded var span: Span
        @StorageEmbedded(prefix: "") var settings: Settings
        @StorageEmbedded let box: Box
        @StorageEmbedded let fixed: GeoPoint = GeoPoint(latitude: 1, longitude: 2)

        enum CodingKeys: String, CodingKey { case id, span, settings, box }
    }

    @Test func typesThatCodeThemselvesAndFieldsOfEveryKindRoundTrip() async throws {
        let store = try TemporaryStore { $0.autoSchema(SessionRecord.self) }
        let columns =
            "id span_from span_until zone mail bounds names numbers mode single any time box_label "
            + "fixed_latitude fixed_longitude updatedAt"
        #expect(SessionRecord.schemaColumns.map(\.name).joined(separator: " ") == columns)
        let settings = Settings(
            zone: .gmt, mail: Email(text: "x@y"), bounds: -1...5, names: ["a": 1], numbers: [3], mode: .on,
            single: .only, any: ["x": nil], time: .milliseconds(1500))
        let session = Session(
            id: "1", span: Span(start: Date(timeIntervalSince1970: 100), length: 60), settings: settings,
            box: Box("b"))
        try await store.storage.save(session)
        #expect(try await store.storage.get(Session.self, id: "1") == session)
        let query = store.storage.query(Session.self)
        #expect(try await query.where { $0.settings.mode == .on && $0.box.label == "b" }.count() == 1)
        #expect(try await query.where { $0.fixed.latitude == 1 && $0.spanFrom < Date.now }.count() == 1)
    }

    // MARK: Shapes that do not

    enum Choice: Codable, Sendable { case number(Int), text(String) }

    struct Node: Codable, Sendable {
        var label: String
        var next: [Node]
    }

    final class Chain: Codable, Sendable {
        let next: Chain?
        init(next: Chain?) { self.next = next }
    }

    struct Strict: Codable, Sendable {
        let code: Code

        struct Code: Codable, Sendable {
            let text: String
            init(from decoder: any Decoder) throws {
                text = try decoder.singleValueContainer().decode(String.self)
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "never"))
            }
        }
    }

    @StorageEntity
    struct WithChoice {
        var id: String
        @StorageEmbedded var choice: Choice
    }

    @StorageEntity
    struct WithChain {
        var id: String
        @StorageEmbedded var chain: Chain
    }

    @StorageEntity
    struct WithStrict {
        var id: String
        @StorageEmbedded var strict: Strict
    }

    @StorageEntity
    struct WithNode {
        var id: String
        @StorageEmbedded var node: Node
    }

    private func message(_ schema: (inout AppMigrations) -> Void) async -> String? {
        let error = await storageError { _ = try TemporaryStore(schema: schema) }
        guard case .invalidConfiguration(let message) = error else { return nil }
        return message
    }

    @Test func aTypeWithoutNamedFieldsIsRefusedWhenTheSchemaIsRegistered() async {
        let message = await message { $0.autoSchema(WithChoiceRecord.self) }
        #expect(message?.contains("'choice' cannot be embedded: 'Choice'") == true)
        #expect(message?.contains("@StorageJSON") == true)
    }

    @Test func aTypeThatContainsItselfIsRefused() async {
        let message = await message { $0.autoSchema(WithChainRecord.self) }
        #expect(message?.contains("'Chain' contains itself") == true)
    }

    @Test func aTypeThatRefusesSamplesIsNamedWithWhatToDo() async {
        let message = await message { $0.autoSchema(WithStrictRecord.self) }
        #expect(message?.contains("'Code', the type of 'code' in 'Strict'") == true)
        #expect(message?.contains("SampleProviding") == true)
    }

    @Test func anArrayOfTheTypeItselfIsJSON() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithNodeRecord.self) }
        let entity = WithNode(id: "1", node: Node(label: "a", next: [Node(label: "b", next: [])]))
        try await store.storage.save(entity)
        #expect(try await store.storage.get(WithNode.self, id: "1") == entity)
    }

    // MARK: Clashes

    @StorageEntity
    struct Clash {
        var id: String
        var shipping_city: String
        @StorageEmbedded(prefix: "shipping_") var address: PostalAddress
    }

    @StorageEntity
    struct ClashOfTwo {
        var id: String
        @StorageEmbedded(prefix: "") var point: GeoPoint
        @StorageEmbedded(prefix: "") var place: Latitude

        struct Latitude: Codable, Sendable, Equatable {
            init(from decoder: any Decoder) throws {
                latitude = try decoder.container(keyedBy: Keys.self).decode(Double.self, forKey: .latitude)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(latitude, forKey: .latitude)
            }
            enum Keys: String, CodingKey { case latitude = "LATITUDE" }
            var latitude: Double
        }
    }

    @StorageEntity
    struct ClashWithStamp {
        var id: String
        @StorageEmbedded(prefix: "") var stamp: Stamp
    }

    // Nested in the entity, it would be an error at compile time.
    struct Stamp: Codable, Sendable, Equatable { var updatedAt: Date }

    @Test func twoPropertiesOnOneColumnAreAnErrorThatNamesBoth() async {
        let message = await message { $0.autoSchema(ClashRecord.self) }
        #expect(message?.contains("'shipping_city' and 'address.city' of 'Clash'") == true)
    }

    @Test func columnsThatDifferInCaseAloneClashToo() async {
        let message = await message { $0.autoSchema(ClashOfTwoRecord.self) }
        #expect(message?.contains("'point.latitude' and 'place.LATITUDE'") == true)
    }

    @Test func aFieldOnTheColumnOfTheLastSaveIsAnError() async {
        let message = await message { $0.autoSchema(ClashWithStampRecord.self) }
        #expect(message?.contains("'stamp.updatedAt' and 'the time of the last save'") == true)
    }

    @Test func aTableMadeElsewhereDoesNotHideTheClash() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("1") { db in
                try db.execute(sql: "CREATE TABLE clashs (id TEXT PRIMARY KEY, shipping_city TEXT)")
            }
        }
        let address = PostalAddress(street: "", city: "", zip: "", country: "")
        let error = await storageError {
            try await store.storage.save(Clash(id: "1", shipping_city: "Kyiv", address: address))
        }
        guard case .invalidConfiguration = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        await #expect(throws: StorageError.self) {
            try await store.db.write { db in try ClashRecord.createTable(in: db) }
        }
    }

    @Test func aNameThatNoColumnCanHaveIsRefused() async {
        let message = await message { $0.autoSchema(OddKeyRecord.self) }
        #expect(message?.contains("'value.a\"b'") == true)
    }

    @StorageEntity
    struct OddKey {
        var id: String
        @StorageEmbedded var value: Value

        struct Value: Codable, Sendable, Equatable {
            var field: Int
            enum CodingKeys: String, CodingKey { case field = "a\"b" }
        }
    }

    // MARK: Equality

    @Test func valuesWithoutEqualityAreComparedByTheirStoredForm() {
        let one = Customer("1", city: "Kyiv")
        var other = one
        #expect(one == other)
        other.shippingAddress.zip = "2"
        #expect(one != other)
        other = one
        other.billingAddress = one.shippingAddress
        #expect(one != other)
        other = one
        other.name = ""
        #expect(one != other)
    }
}
