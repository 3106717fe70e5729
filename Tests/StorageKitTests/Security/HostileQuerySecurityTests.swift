import StorageKit
import StorageTestSupport
import Testing

/// Whatever a text is made of, queries along relations take it for a value, or refuse it by a typed error: never for SQL.
@Suite struct HostileQuerySecurityTests {
    struct Detail: Codable, Sendable, Equatable {
        enum CodingKeys: String, CodingKey {
            case text = "it's') --"
            case words = "'; DROP TABLE victims; --"
            case refused = "a\"b"
        }
        var text: String
        var words: [String]
        var refused: String
    }

    @StorageEntity(table: "owners'; DROP TABLE victims; --")
    struct Owner {
        var id: Int
        var name: String
        @StorageHasMany(foreignKey: "ownerId") var things: [Thing]
    }

    @StorageEntity
    struct Thing {
        var id: String
        @StorageReference(Owner.self) var ownerId: Int
        var `select`: String
        var at: Date
        @StorageJSON var detail: Detail
        @StorageBelongsTo(foreignKey: "ownerId") var owner: Owner?
    }

    private static let texts = HostileText.names + HostileText.impossibleNames
    private let store: TemporaryStore
    private var owners: Query<Owner> { store.storage.query(Owner.self) }
    private var things: Query<Thing> { store.storage.query(Thing.self) }

    /// A row of each text.
    init() async throws {
        store = try TemporaryStore { schema in
            schema.migration("victims") { db in
                try db.execute(sql: "CREATE TABLE victims (x); INSERT INTO victims VALUES ('here')")
            }
            schema.autoSchema(OwnerRecord.self, ThingRecord.self)
            schema.addFullTextSearch(table: "things", columns: ["select"])
        }
        try await store.storage.save(Self.texts.enumerated().map { Owner(id: $0, name: $1) })
        try await store.storage.save(
            Self.texts.enumerated().map { id, text in
                Thing(
                    id: text, ownerId: id, select: text, at: Date(timeIntervalSince1970: 0),
                    detail: Detail(text: text, words: [text], refused: text))
            })
    }

    private func dump() async throws -> DatabaseDump {
        try await store.db.read { try DatabaseDump($0) }
    }

    /// Asks with each text, and expects that nothing is written.
    private func ask(_ question: (Int, String) async throws -> Void) async throws {
        let before = try await dump()
        for (id, text) in Self.texts.enumerated() { try await question(id, text) }
        #expect(try await dump() == before)
    }

    /// Asks what may be refused.
    private func answerOrTypedError(_ text: String, _ question: () async throws -> Void) async {
        do { try await question() } catch is StorageError {} catch { Issue.record("\(text): \(error)") }
    }

    // MARK: - Values

    @Test func valuesInConditionsFindTheirRow() async throws {
        try await ask { id, text in
            #expect(try await things.where { $0.owner.name == text }.fetch().map(\.ownerId) == [id])
            #expect(try await things.where { $0.owner.name.in([text]) && $0.select == text }.count() == 1)
            let ids = try await owners.where { $0.things.exists { $0.select == text } }.fetch().map(\.id)
            #expect(ids == [id])
            #expect(try await owners.where { $0.things.max(\.select) == text }.count() == 1)
            #expect(try await owners.where { $0.name.contains(text) && $0.id == id }.count() == 1)
            #expect(try await owners.where { $0.name.hasPrefix(text, ignoringCase: true) && $0.id == id }.count() == 1)
        }
    }

    @Test func valuesAreSelectedAndCalculatedWith() async throws {
        try await ask { id, text in
            let row = try await owners.where { $0.id == id }.select {
                ($0.name + text, ($0.id == id).then(text, else: "other"), $0.sql("\(text)", as: String.self))
            }.fetchOne()
            let found = try #require(row)
            for (value, expected) in [(found.0, text + text), (found.1, text), (found.2, text)] {
                #expect(value.utf8.elementsEqual(expected.utf8))
            }
        }
    }

    @Test func valuesInJSONFindTheirRow() async throws {
        try await ask { _, text in
            // SQLite takes a text in JSON up to a NUL, so that one which begins with a NUL is as good as none.
            guard !text.utf8.contains(0), !text.isEmpty else { return }
            await answerOrTypedError(text) {
                let equal = try await things.where { $0.detail.text == text }.count()
                let containing = try await things.where { $0.detail.words.contains(text) }.count()
                #expect(equal == 1 && containing == 1, "\(text)")
            }
        }
    }

    @Test func aKeyInJSONThatNoPathCanNameIsRefused() async throws {
        let before = try await dump()
        let error = await storageError { _ = try await things.where { $0.detail.refused == "a" }.count() }
        guard case .queryFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await #expect(throws: StorageError.self) {
            try await things.updateAll { [$0.detail.refused.set(to: "b")] }
        }
        #expect(try await dump() == before)
    }

    @Test func newValuesAreWrittenAsTheyAre() async throws {
        for (id, text) in Self.texts.enumerated() {
            try await things.where { $0.ownerId == 0 }.updateAll {
                [$0.select.set(to: text), $0.detail.text.set(to: text)]
            }
            let thing = try #require(try await things.where { $0.ownerId == 0 }.fetchOne())
            #expect(thing.select.utf8.elementsEqual(text.utf8) && thing.detail.text.utf8.elementsEqual(text.utf8))
            let others = try await things.where { $0.ownerId != 0 }.count()
            #expect(others == Self.texts.count - 1, "\(id)")
        }
        #expect(try await store.db.read { try String.fetchAll($0, sql: "SELECT x FROM victims") } == ["here"])
    }

    // MARK: - Names

    @Test func aNameThatIsNoColumnIsRefused() async throws {
        try await ask { _, text in
            guard text != "select", text != "rowid" else { return }
            await #expect(throws: StorageError.self) { try await things.orderBy(text).fetch() }
            await #expect(throws: StorageError.self) {
                try await things.where { _ in Column<String>(text) == "a" }.count()
            }
            await #expect(throws: StorageError.self) {
                try await things.group { _ in Column<String>(text) }.select { $0.count() }.fetch()
            }
        }
    }

    @Test func aTimeZoneIsAValue() async throws {
        let before = try await dump()
        for name in ["GMT+0300", "Europe/Kyiv"] + Self.texts {
            guard let zone = TimeZone(identifier: name) else { continue }
            await answerOrTypedError(name) {
                let count = try await things.where { $0.at.year(in: zone) >= 1969 }.count()
                #expect(count == Self.texts.count)
            }
        }
        #expect(try await dump() == before)
    }

    // MARK: - SQL, searches, cursors

    @Test func sqlIsOneExpressionOrRefused() async throws {
        try await ask { _, text in
            await answerOrTypedError(text) {
                _ = try await things.where { _ in Predicate(sql: SQLText(stringLiteral: text)) }.count()
            }
            await answerOrTypedError(text) {
                _ = try await things.select { $0.sql(SQLText(stringLiteral: "1 \(text)"), as: Int.self) }.fetch()
            }
        }
    }

    @Test func aSearchFindsOrIsRefused() async throws {
        try await ask { _, text in
            await answerOrTypedError(text) {
                _ = try await things.matching(text).where { $0.owner.id >= 0 }.fetch()
            }
            await answerOrTypedError(text) {
                _ = try await things.matchingText(text).where { $0.owner.name == text }.hits()
            }
        }
    }

    @Test func groupsHaveTheirKeysAndPagesLeadThroughThem() async throws {
        let before = try await dump()
        let groups = things.group(by: \.owner.name, \.select).select { ($0.owner.name, $0.select, $0.count()) }
        var found: [String] = []
        var cursor: PageCursor?
        repeat {
            let page = try await groups.page(after: cursor, limit: 7)
            for row in page.items {
                #expect(row.0.utf8.elementsEqual(row.1.utf8) && row.2 == 1)
                found.append(row.0)
            }
            cursor = try page.next.map { try #require(PageCursor(text: $0.text)) }
        } while cursor != nil
        #expect(Set(found.map { Array($0.utf8) }) == Set(Self.texts.map { Array($0.utf8) }))
        #expect(found.count == Self.texts.count)
        #expect(try await dump() == before)
    }

    @Test func aCursorIsReadOrRefused() async throws {
        let first = try await things.orderBy(\.owner.name).page(limit: 1)
        let text = try #require(first.next).text
        try await ask { _, hostile in
            for spoilt in [hostile, text + hostile, hostile + text] {
                guard let cursor = PageCursor(text: spoilt) else { continue }
                await answerOrTypedError(spoilt) {
                    _ = try await things.orderBy(\.owner.name).page(after: cursor, limit: 1)
                }
            }
        }
    }
}
