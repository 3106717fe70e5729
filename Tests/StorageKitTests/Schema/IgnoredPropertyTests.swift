import StorageKit
import StorageTestSupport
import Testing

/// Properties that are not stored.
@Suite struct IgnoredPropertyTests {
    @StorageEntity
    struct Row: Hashable {
        var id: String
        var text: String
        @StorageIgnored var isExpanded = false
        @StorageIgnored var onTap: (@Sendable () -> Void)?
        @StorageIgnored let kind = 7
    }

    /// Its decoder assigns, since something is private.
    @StorageEntity
    struct Hidden {
        var id: String
        @StorageIgnored private var cache: [String: Int] = ["a": 1]
        private var secret = 1
        static var all: Int { 0 }
        var cached: Int { cache.count }

        init(id: String, cache: [String: Int]) {
            self.id = id
            self.cache = cache
        }
    }

    /// Its initialiser is generated, since children need not be named.
    @StorageEntity
    struct Parent {
        var id: String
        @StorageIgnored var isOpen = true
        @StorageIgnored private var taps = 0
        @StorageHasMany(foreignKey: "id") var rows: [Row]

        var tapped: Int { taps }
    }

    /// Says itself what its keys are.
    @StorageEntity
    struct Keyed {
        var id: String
        @StorageIgnored var isOpen = false

        enum CodingKeys: String, CodingKey {
            case id = "key"
        }
    }

    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() throws {
        store = try TemporaryStore { $0.autoSchema(RowRecord.self, HiddenRecord.self) }
    }

    @Test func itHasNoColumn() {
        #expect(RowRecord.schemaColumns.map(\.name) == ["id", "text", "updatedAt"])
        #expect(HiddenRecord.schemaColumns.map(\.name) == ["id", "secret", "updatedAt"])
    }

    @Test func anEntityThatIsReadHasTheDefault() async throws {
        let row = Row(id: "1", text: "a", isExpanded: true, onTap: {})
        try await storage.save(row)
        for read in [try await storage.get(Row.self, id: "1"), try await storage.all(Row.self).first] {
            #expect(read?.isExpanded == false)
            #expect(read?.onTap == nil)
            #expect(read?.kind == 7)
        }
        #expect(try await storage.update(row).isExpanded == false)
    }

    @Test func itIsNotCompared() async throws {
        let row = Row(id: "1", text: "a", isExpanded: true)
        try await storage.save(row)
        #expect(try await storage.get(Row.self, id: "1") == row)
        #expect(row == Row(id: "1", text: "a"))
        #expect(row != Row(id: "1", text: "b", isExpanded: true))
    }

    @Test func equalEntitiesAreOneInASet() {
        var other = Row(id: "1", text: "a")
        other.isExpanded = true
        #expect(Set([Row(id: "1", text: "a")]).contains(other))
    }

    @Test func aPrivateOneHasItsDefaultToo() async throws {
        try await storage.save(Hidden(id: "1", cache: [:]))
        #expect(try await storage.get(Hidden.self, id: "1")?.cached == 1)
    }

    @Test func generatedInitialisersHaveItAsAParameterWithItsDefault() {
        #expect(Parent(id: "1").isOpen)
        #expect(!Parent(id: "1", isOpen: false).isOpen)
        #expect(Parent(id: "1").tapped == 0)
        #expect(RowRecord(id: "1", text: "a", updatedAt: .distantPast).asEntity() == Row(id: "1", text: "a"))
    }

    @Test func itIsNotInJSON() throws {
        let row = Row(id: "1", text: "a", isExpanded: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(row)
        #expect(String(decoding: json, as: UTF8.self) == #"{"id":"1","text":"a"}"#)
        let read = try JSONDecoder().decode(Row.self, from: json)
        #expect(read == row && !read.isExpanded)
    }

    @Test func keysOfTheAppsOwnStay() throws {
        #expect(try JSONDecoder().decode(Keyed.self, from: Data(#"{"key":"1"}"#.utf8)) == Keyed(id: "1"))
    }
}
