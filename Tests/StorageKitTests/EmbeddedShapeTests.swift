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
        @StorageEmbedded let fixed: GeoPoint = .origin

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
        #expect(try await query.where { $0.settings.mode == .on && $0.boxLabel == "b" }.count() == 1)
        #expect(try await query.where { $0.fixed.latitude == 0 && $0.spanFrom < Date.now }.count() == 1)
    }

    /// Codes optionals by `encode` and `decode`, as code written by hand often does.
    struct Loose: Codable, Sendable, Equatable {
        var note: String?
        var level: Level?
        var point: GeoPoint?
        var list: [Int]?

        init(note: String? = nil, level: Level? = nil, point: GeoPoint? = nil, list: [Int]? = nil) {
            self.note = note
            self.level = level
            self.point = point
            self.list = list
        }

        enum Keys: String, CodingKey { case note, level, point, list }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            note = try container.decodeIfPresent(String.self, forKey: .note)
            level = try container.decode(Level?.self, forKey: .level)
            point = try container.decode(GeoPoint?.self, forKey: .point)
            list = try container.decodeIfPresent([Int].self, forKey: .list)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(note, forKey: .note)
            try container.encode(level, forKey: .level)
            try container.encodeIfPresent(point, forKey: .point)
            try container.encode(list, forKey: .list)
        }
    }

    @StorageEntity
    struct WithLoose {
        var id: Int
        @StorageEmbedded var loose: Loose
    }

    @Test func optionalsAreOptionalHoweverTheyAreCoded() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithLooseRecord.self) }
        #expect(WithLooseRecord.schemaColumns.dropFirst().dropLast().allSatisfy { !$0.notNull })
        let full = Loose(note: "n", level: .high, point: GeoPoint(latitude: 1, longitude: 2), list: [1])
        let entities = [WithLoose(id: 1, loose: full), WithLoose(id: 2, loose: Loose())]
        try await store.storage.save(entities)
        #expect(try await store.storage.all(WithLoose.self) == entities)
        #expect(
            try await store.storage.query(WithLoose.self).where { $0.loose.level == .high }.fetch() == [entities[0]])
    }

    /// What it encodes depends on its value, so that one sample cannot show all its columns.
    struct Shifty: Codable, Sendable, Equatable {
        var isRound: Bool
        var size: Int

        init(isRound: Bool, size: Int) {
            self.isRound = isRound
            self.size = size
        }

        enum Keys: String, CodingKey { case isRound, radius, side }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            isRound = try container.decode(Bool.self, forKey: .isRound)
            size = try container.decode(Int.self, forKey: isRound ? .radius : .side)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(isRound, forKey: .isRound)
            try container.encode(size, forKey: isRound ? .radius : .side)
        }
    }

    @StorageEntity
    struct WithShifty {
        var id: Int
        @StorageEmbedded var shifty: Shifty
    }

    @Test func whatWouldBeLostIsRefused() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithShiftyRecord.self) }
        try await store.storage.save(WithShifty(id: 1, shifty: Shifty(isRound: false, size: 2)))
        let error = await storageError {
            try await store.storage.save(WithShifty(id: 2, shifty: Shifty(isRound: true, size: 3)))
        }
        #expect(error?.localizedDescription.contains("'radius' is encoded for some values only") == true)
        #expect(try await store.storage.count(WithShifty.self) == 1)
    }

    /// Of a type that provides its sample there is only one.
    struct Contact: Codable, Sendable, Equatable {
        var mail: Mail
        var name: String

        struct Mail: RawRepresentable, Codable, Sendable, Equatable, SampleProviding {
            static let sample = Mail(uncheckedText: "a@b")
            let rawValue: String
            private init(uncheckedText: String) { rawValue = uncheckedText }
            init?(rawValue: String) {
                guard rawValue.contains("@") else { return nil }
                self.rawValue = rawValue
            }
        }
    }

    @StorageEntity
    struct WithContact {
        var id: Int
        @StorageEmbedded var contact: Contact
    }

    @Test func aFieldOfOneSampleIsFoundByItsKeyPathToo() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithContactRecord.self) }
        let mail = try #require(Contact.Mail(rawValue: "x@y"))
        let entity = WithContact(id: 1, contact: Contact(mail: mail, name: "n"))
        try await store.storage.save(entity)
        #expect(try await store.storage.query(WithContact.self).where { $0.contact.mail == mail }.fetch() == [entity])
    }

    struct Palette: Codable, Sendable, Equatable {
        var front: Shade
        var back: Shade

        struct Shade: RawRepresentable, Codable, Sendable, Equatable, SampleProviding {
            static let sample = Shade("#1")
            static let otherSample = Shade("#2")
            let rawValue: String
            init(_ text: String) { rawValue = text }
            init?(rawValue: String) {
                guard rawValue.hasPrefix("#") else { return nil }
                self.rawValue = rawValue
            }
        }
    }

    @StorageEntity
    struct WithPalette {
        var id: Int
        @StorageEmbedded var palette: Palette
        var spare: Palette
        @StorageEmbedded(prefix: "twin_") var twin: Twin
    }

    struct Twin: Codable, Sendable, Equatable {
        var left: Contact.Mail
        var right: Contact.Mail
    }

    @Test func fieldsOfOneTypeWithTwoSamplesAreToldApart() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithPaletteRecord.self) }
        let mail = try #require(Contact.Mail(rawValue: "x@y"))
        let (front, back) = (Palette.Shade("#a"), Palette.Shade("#b"))
        let palette = Palette(front: front, back: back)
        let entity = WithPalette(id: 1, palette: palette, spare: palette, twin: Twin(left: mail, right: mail))
        try await store.storage.save(entity)
        let query = store.storage.query(WithPalette.self)
        #expect(try await query.where { $0.palette.front == front && $0.palette.back == back }.count() == 1)
        #expect(try await query.where { $0.spare.front == front && $0.spare.back == back }.count() == 1)
        let error = await storageError { _ = try await query.where { $0.twin.left == mail }.fetch() }
        #expect(error?.localizedDescription.contains("'otherSample'") == true)
    }

    @Test func manyTasksMayLookAtAShapeAtOnce() async {
        let names = await withTaskGroup(of: String.self) { group in
            for _ in 0..<64 {
                group.addTask { ColumnRef<WithFresh>().value.second.columnName }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names == ["value_second"])
    }

    /// Used by one test only, so that its shape is found there.
    @StorageEntity
    struct WithFresh {
        var id: Int
        @StorageEmbedded var value: Pair<Double>
    }

    struct Crate: Codable, Sendable, Equatable {
        struct Box: Codable, Sendable, Equatable {
            struct Lid: Codable, Sendable, Equatable { var size: Int }
            var lid: Lid
        }

        var label: String
        var box: Box?
    }

    @StorageEntity
    struct WithCrate: Equatable {
        var id: Int
        @StorageEmbedded var crate: Crate
    }

    @Test func whatStandsTwoLevelsBelowAnOptionalMayBeMissing() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithCrateRecord.self) }
        let crates = [
            WithCrate(id: 1, crate: Crate(label: "a")),
            WithCrate(id: 2, crate: Crate(label: "b", box: Crate.Box(lid: Crate.Box.Lid(size: 3)))),
        ]
        try await store.storage.save(crates)
        #expect(try await store.storage.query(WithCrate.self).orderBy(\.id).fetch() == crates)
    }

    struct Reach: Codable, Sendable, Equatable {
        var from: Int?
        var to: Int?
    }

    @StorageEntity
    struct WithReach {
        var id: Int
        @StorageEmbedded var pair: Pair<Reach>
    }

    @Test func anOptionalInAValueIsThereIfAnyOfItsColumnsHoldsSomething() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithReachRecord.self) }
        let entity = WithReach(id: 1, pair: Pair(first: Reach(), second: Reach(to: 2)))
        try await store.storage.save(entity)
        #expect(try await store.storage.all(WithReach.self) == [entity])
    }

    /// Reads its key once more for what follows from it.
    struct Heading: Codable, Sendable, Equatable {
        let text: String
        let count: Int

        init(_ text: String) {
            self.text = text
            count = text.count
        }

        enum CodingKeys: CodingKey { case text }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            text = try container.decode(String.self, forKey: .text)
            count = try container.decode(String.self, forKey: .text).count
        }
    }

    @StorageEntity
    struct WithHeading {
        var id: Int
        @StorageEmbedded var heading: Heading
    }

    @Test func aFieldThatIsDecodedTwiceIsOneColumn() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithHeadingRecord.self) }
        #expect(WithHeadingRecord.schemaColumns.map(\.name) == ["id", "heading_text", "updatedAt"])
        let entity = WithHeading(id: 1, heading: Heading("abc"))
        try await store.storage.save(entity)
        #expect(try await store.storage.all(WithHeading.self) == [entity])
    }

    /// Each has a container inside its own, beside a field that could be a column.
    struct Nests: Codable, Sendable, Equatable {
        struct Keyed: Codable, Sendable, Equatable {
            var name = "a"
            var zip = "1"

            enum Keys: CodingKey { case name, address, zip }

            init() {}

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                name = try container.decode(String.self, forKey: .name)
                let address = try container.nestedContainer(keyedBy: Keys.self, forKey: .address)
                zip = try address.decode(String.self, forKey: .zip)
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(name, forKey: .name)
                var address = container.nestedContainer(keyedBy: Keys.self, forKey: .address)
                try address.encode(zip, forKey: .zip)
            }
        }

        struct Listed: Codable, Sendable, Equatable {
            var name = "b"
            var number = 2

            enum Keys: CodingKey { case name, numbers }

            init() {}

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                name = try container.decode(String.self, forKey: .name)
                var numbers = try container.nestedUnkeyedContainer(forKey: .numbers)
                number = try numbers.decode(Int.self)
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(name, forKey: .name)
                var numbers = container.nestedUnkeyedContainer(forKey: .numbers)
                try numbers.encode(number)
            }
        }

        struct Derived: Codable, Sendable, Equatable {
            var name = "c"
            var base = GeoPoint(latitude: 1, longitude: 2)

            enum Keys: CodingKey { case name }

            init() {}

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                name = try container.decode(String.self, forKey: .name)
                base = try GeoPoint(from: container.superDecoder())
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(name, forKey: .name)
                try base.encode(to: container.superEncoder())
            }
        }

        var keyed = Keyed()
        var listed = Listed()
        var derived = Derived()
    }

    @StorageEntity
    struct WithNests {
        var id: Int
        @StorageEmbedded var nests: Nests
    }

    @Test func whatHasAContainerInsideItsOwnIsJSON() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithNestsRecord.self) }
        #expect(
            WithNestsRecord.schemaColumns.map(\.name)
                == ["id", "nests_keyed", "nests_listed", "nests_derived", "updatedAt"])
        let entity = WithNests(id: 1, nests: Nests())
        try await store.storage.save(entity)
        #expect(try await store.storage.all(WithNests.self) == [entity])
    }

    struct Wide: Codable, Sendable, Equatable {
        var signed: Int128
        var unsigned: UInt128
    }

    @StorageEntity
    struct WithWide {
        var id: Int
        @StorageEmbedded var wide: Wide
    }

    @Test func integersOf128BitsAreFieldsLikeAnyOther() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithWideRecord.self) }
        let entity = WithWide(id: 1, wide: Wide(signed: .min, unsigned: .max))
        try await store.storage.save(entity)
        #expect(try await store.storage.all(WithWide.self) == [entity])
    }

    // MARK: Shapes that do not

    struct Doubly: Codable, Sendable, Equatable {
        var value: Int??
    }

    @StorageEntity
    struct WithDoubly {
        var id: Int
        @StorageEmbedded var doubly: Doubly
    }

    typealias Maybe = Int?

    @StorageEntity
    struct WithAlias {
        var id: Int
        var value: Maybe?
    }

    @Test func anOptionalOfAnOptionalIsRefused() async {
        let inside = await message { $0.autoSchema(WithDoublyRecord.self) }
        #expect(inside?.contains("'value' in 'Doubly' is an optional of an optional") == true)
        let hidden = await message { $0.autoSchema(WithAliasRecord.self) }
        #expect(hidden?.contains("'value' is an optional of a type that may be NULL itself") == true)
    }

    /// Reads its length where it is a side, and its radius where it is a circle.
    struct Figure: Codable, Sendable {
        enum Kind: String, Codable, CaseIterable { case circle, square }
        enum CodingKeys: String, CodingKey { case kind, radius, side }

        var kind: Kind
        var radius = 0.0
        var side = 0.0

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(Kind.self, forKey: .kind)
            switch kind {
            case .circle: radius = try container.decode(Double.self, forKey: .radius)
            case .square: side = try container.decodeIfPresent(Double.self, forKey: .side) ?? 0
            }
        }
    }

    @StorageEntity
    struct WithFigure {
        var id: Int
        @StorageEmbedded var figure: Figure
    }

    @Test func aFieldThatIsReadOfSomeValuesOnlyIsRefused() async {
        let error = await message { $0.autoSchema(WithFigureRecord.self) }
        #expect(error?.contains("'side' in 'Figure' is decoded of some values only") == true)
    }

    /// Reads two fields and writes one.
    struct Forgetful: Codable, Sendable {
        var kept = 1
        var lost = 2

        private enum CodingKeys: CodingKey { case kept, lost }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kept, forKey: .kept)
        }
    }

    @StorageEntity
    struct WithForgetful {
        var id: Int
        @StorageEmbedded var value: Forgetful
    }

    @Test func aFieldThatIsReadAndNotWrittenIsRefusedByItsColumn() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithForgetfulRecord.self) }
        let error = await thrownError { try await store.storage.save(WithForgetful(id: 1, value: Forgetful())) }
        let text = "\(error as Any)"
        #expect(text.contains("value_lost") && text.contains("it is decoded but not encoded"), "\(text)")
    }

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

    struct Choices: Codable, Sendable {
        var names: Set<String>
        var counts: [UUID: Nested]
        var either: Either
        struct Nested: Codable, Sendable { var ids: Set<Int> }
        enum Either: Codable, Sendable { case left(Nested), right }
    }

    @StorageEntity
    struct WithChoices {
        var id: Int
        @StorageJSON var choices: Choices
    }

    @Test func theOrderOfASetOrDictionaryMakesNoDifference() async throws {
        let store = try TemporaryStore { $0.autoSchema(WithChoicesRecord.self) }
        for id in 1...30 {
            let counts = Dictionary(
                uniqueKeysWithValues: (0..<9).map { (UUID(), Choices.Nested(ids: [$0, $0 + 1, 99])) })
            let choices = Choices(names: Set((0..<12).map { "name \($0)" }), counts: counts, either: .right)
            let entity = WithChoices(id: id, choices: choices)
            try await store.storage.save(entity)
            #expect(try await store.storage.get(WithChoices.self, id: id) == entity)
            var other = entity
            other.choices.counts[UUID()] = .init(ids: [])
            #expect(other != entity)
            other = entity
            other.choices.either = .left(.init(ids: []))
            #expect(other != entity)
        }
    }

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

    // MARK: Nested structs of which the macro does not see all

    @StorageEntity(indexes: [["place_zip"]])
    struct WithConditionalPart {
        struct Place: Codable, Sendable {
            var street: String
            #if swift(>=6.0)
            var zip: String
            #endif
        }
        var id: Int
        @StorageEmbedded var place: Place
    }

    @StorageEntity(indexes: [["place_str"]])
    struct WithKeysElsewhere {
        struct Place: Codable, Sendable {
            typealias CodingKeys = Keys
            enum Keys: String, CodingKey { case street = "str" }
            var street: String
        }
        var id: Int
        @StorageEmbedded var place: Place
    }

    @propertyWrapper struct Trimmed: Codable, Sendable {
        var wrappedValue: String
    }

    @StorageEntity(indexes: [["place_street_wrappedValue"]])
    struct WithWrapper {
        struct Place: Codable, Sendable {
            @Trimmed var street: String
        }
        var id: Int
        @StorageEmbedded var place: Place
    }

    @Test func whatTheMacroDoesNotSeeOfANestedStructIsFoundAsTheProgramRuns() async throws {
        let store = try TemporaryStore {
            $0.autoSchema(WithConditionalPartRecord.self, WithKeysElsewhereRecord.self, WithWrapperRecord.self)
        }
        let storage = store.storage
        try await storage.save(WithConditionalPart(id: 1, place: .init(street: "a", zip: "1")))
        try await storage.save(WithKeysElsewhere(id: 1, place: .init(street: "a")))
        try await storage.save(WithWrapper(id: 1, place: .init(street: "a")))
        #expect(try await storage.query(WithConditionalPart.self).where { $0.placeZip == "1" }.count() == 1)
        #expect(try await storage.query(WithKeysElsewhere.self).where { $0.placeStr == "a" }.count() == 1)
        #expect(try await storage.query(WithWrapper.self).where { $0.placeStreetWrappedValue == "a" }.count() == 1)
    }
}
