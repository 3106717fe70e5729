import StorageKit
import StorageTestSupport
import Testing

/// Structs of every shape that the macro takes, compiled for real and saved.
@Suite struct EntityShapeTests {
    @StorageEntity
    struct Constants {
        let id: String
        let made: Date
        let kind = "constant"
        var note = "none"
        var count = 0, ratio = 0.5
        var isOpen = true
        var below = -1

        // Without them the compiler warns that Codable cannot decode `kind`.
        enum CodingKeys: String, CodingKey {
            case id, made, note, count, ratio, isOpen, below
        }
    }

    @StorageEntity
    struct Observed {
        var id: String
        var value: Int {
            didSet { changes += 1 }
        }
        var changes = 0
        var double: Int { value * 2 }
        static let shared = "not a column"
    }

    @StorageEntity
    struct Lazy {
        var id: String
        lazy var expensive = id + "!"
        static let name = "lazy"
        var computed: String { id }
    }

    @StorageEntity
    struct Several {
        var id, name: String
        var width, height: Int?, depth: Int?
    }

    @StorageEntity
    struct Wide {
        var id: Int
        var größe: Double
        var 名前: String
        var _hidden: Bool
        /// A comment between the attribute and the property.
        @StorageJSON
        // Another one.
        var list: Array<Int>
        var maybe: Optional<String>
    }

    @StorageEntity
    struct OwnStamp {
        var id: String
        var updatedAt: Date
    }

    @StorageEntity
    struct OwnInit {
        var id: String
        var name: String
        private var secret: Int

        init(name: String) {
            id = name.lowercased()
            self.name = name
            secret = 42
        }

        var revealed: Int { secret }
    }

    @StorageEntity
    struct Keywords {
        var id: String
        var `default`: Int
        var `where`: String
        var order: Int
        var group: String
        var `self`: Bool
        var row: Int
        var entity: String
    }

    @StorageEntity(table: "odd name; --'")
    struct OddTable {
        var id: String
        var value: Int
    }

    @StorageEntity
    struct OnlyId {
        var id: String
        let updatedAt: Date
    }

    private func roundTrip<E: RegisteredEntity>(_ entity: E, in store: TemporaryStore) async throws -> E? {
        try await store.storage.save(entity)
        try await store.storage.save(entity)
        return try await store.storage.all(E.self).first
    }

    @Test func letsAndDefaultsAreColumns() async throws {
        let store = try TemporaryStore { $0.autoSchema(ConstantsRecord.self) }
        let entity = Constants(
            id: "1", made: store.clock.now, note: "x", count: 3, ratio: 0.25, isOpen: false, below: -9)
        #expect(try await roundTrip(entity, in: store) == entity)
        #expect(
            ConstantsRecord.schemaColumns.map(\.name)
                == ["id", "made", "kind", "note", "count", "ratio", "isOpen", "below", "updatedAt"])
        let kinds = try await store.db.read { db in try String.fetchAll(db, sql: "SELECT kind FROM constantss") }
        #expect(kinds == ["constant"])
    }

    @Test func observersStayQuietWhileAnEntityIsRead() async throws {
        let store = try TemporaryStore { $0.autoSchema(ObservedRecord.self) }
        var entity = Observed(id: "1", value: 1)
        entity.value = 2
        #expect(try await roundTrip(entity, in: store) == entity)
        #expect(ObservedRecord.schemaColumns.map(\.name) == ["id", "value", "changes", "updatedAt"])
    }

    @StorageEntity
    struct Lenient {
        var id: String
        var level: Level
        var note: String
    }

    @Test func anEqualityOfTheAppsIsPreferred() {
        // Other code compares by the conformance.
        #expect([Lenient(id: "1", level: .low, note: "a")] == [Lenient(id: "1", level: .high, note: "b")])
        #expect([Lenient(id: "1", level: .low, note: "a")] != [Lenient(id: "2", level: .low, note: "a")])
    }

    /// Two columns that a query would spell alike, `aBC`.
    @StorageEntity
    struct Spelled {
        struct Value: Codable, Sendable {
            var b_c: Int
            var bC: Int
            var d_e: Int
        }

        var id: Int
        @StorageEmbedded(prefix: "a_") var value: Value
    }

    @Test func aSpellingOfTwoColumnsIsNone() async throws {
        let store = try TemporaryStore { $0.autoSchema(SpelledRecord.self) }
        let entity = Spelled(id: 1, value: .init(b_c: 1, bC: 2, d_e: 3))
        try await store.storage.save(entity)
        let query = store.storage.query(Spelled.self)
        #expect(try await query.where { $0.value.b_c == 1 && $0.value.bC == 2 && $0.aDE == 3 }.fetch() == [entity])
    }

    @Test func lazyStaticAndComputedMembersAreNoColumns() async throws {
        let store = try TemporaryStore { $0.autoSchema(LazyRecord.self) }
        #expect(LazyRecord.schemaColumns.map(\.name) == ["id", "updatedAt"])
        var found = try #require(try await roundTrip(Lazy(id: "1"), in: store))
        #expect(found.expensive == "1!")
    }

    @Test func severalNamesShareAType() async throws {
        let store = try TemporaryStore { $0.autoSchema(SeveralRecord.self) }
        let entity = Several(id: "1", name: "n", width: 1, height: 2, depth: nil)
        #expect(try await roundTrip(entity, in: store) == entity)
        #expect(SeveralRecord.schemaColumns.map(\.name) == ["id", "name", "width", "height", "depth", "updatedAt"])
    }

    @Test func namesOfAnyScriptAndTypesInAnySpelling() async throws {
        let store = try TemporaryStore { $0.autoSchema(WideRecord.self) }
        let entity = Wide(id: 1, größe: 2.5, 名前: "日本", _hidden: true, list: [1], maybe: nil)
        #expect(try await roundTrip(entity, in: store) == entity)
        #expect(try await store.storage.query(Wide.self).where { $0.名前 == "日本" && $0.größe > 2 }.count() == 1)
    }

    @Test func anEntitysOwnUpdatedAtIsStoredAsItIs() async throws {
        let store = try TemporaryStore { $0.autoSchema(OwnStampRecord.self, OnlyIdRecord.self) }
        let stamp = OwnStamp(id: "1", updatedAt: Date(timeIntervalSince1970: 5))
        #expect(try await roundTrip(stamp, in: store) == stamp)
        #expect(OwnStampRecord.from(stamp, now: store.clock.now).updatedAt == stamp.updatedAt)
        let only = OnlyId(id: "1", updatedAt: Date(timeIntervalSince1970: 6))
        #expect(try await roundTrip(only, in: store) == only)
    }

    @Test func anInitializerOfItsOwnAndPrivatePropertiesDoNoHarm() async throws {
        let store = try TemporaryStore { $0.autoSchema(OwnInitRecord.self) }
        #expect(try await roundTrip(OwnInit(name: "Ada"), in: store)?.revealed == 42)
    }

    @Test func keywordsAndWordsOfOursCanBeProperties() async throws {
        let store = try TemporaryStore { $0.autoSchema(KeywordsRecord.self) }
        let entity = Keywords(
            id: "1", default: 1, where: "w", order: 2, group: "g", self: true, row: 3, entity: "e")
        #expect(try await roundTrip(entity, in: store) == entity)
        let found = try await store.storage.query(Keywords.self)
            .where { $0.default == 1 && $0.where == "w" && $0.group == "g" && $0.`self` && $0.row == 3 }
            .orderBy("order").fetch()
        #expect(found == [entity])
    }

    @Test func aListOfAViewKnowsEntitiesByTheirIds() {
        func ids<Item: Identifiable>(_ items: [Item]) -> [Item.ID] { items.map(\.id) }
        #expect(ids([OddTable(id: "1", value: 7)]) == ["1"])
    }

    @Test func aTableNameIsQuotedWhateverItHolds() async throws {
        let store = try TemporaryStore { $0.autoSchema(OddTableRecord.self) }
        let entity = OddTable(id: "1", value: 7)
        #expect(try await roundTrip(entity, in: store) == entity)
        #expect(try await store.storage.query(OddTable.self).where { $0.value == 7 }.deleteAll() == 1)
    }
}

extension EntityShapeTests.Lenient: Equatable {
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
}
