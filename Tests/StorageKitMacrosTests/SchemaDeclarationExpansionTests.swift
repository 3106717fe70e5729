import Foundation
import Testing

/// What indexes, keys, references, former names and what is not stored expand to.
@Suite struct SchemaDeclarationExpansionTests {
    @Test func anEntityDescribesWhatItDeclares() {
        expectExpansion(
            """
            @StorageEntity(indexes: [["listId", "position"]], unique: [["listId", "slug"]], renamedFrom: "tasks", "todos")
            struct Reminder {
                var id: Int64?
                @StorageReference(Lists.RemindersList.self, onDelete: .cascade, as: "list") @StorageRenamed(from: "list") var listId: UUID
                @StorageReference(Reminder.self, onDelete: ReferenceAction.setNull, onUpdate: .restrict) var next: Int64?
                @StorageUnique(ignoringCase: true) var slug: String
                @StorageUnique @StorageJSON var tags: [String]
                @StorageRenamed(from: "place_", "location") @StorageEmbedded(prefix: "geo_") var geo: Geo
                @StorageIgnored var isOpen = false
                var position: Int
            }
            """,
            """
            struct Reminder {
                var id: Int64?
                var listId: UUID
                var next: Int64?
                var slug: String
                var tags: [String]
                var geo: Geo
                var isOpen = false
                var position: Int

                nonisolated final class StorageColumns: StorageGRDB.UnseenColumns {
                    typealias _Entity = Record.E
                    var id: StorageGRDB.Column<Int64?> { .init("id") }
                    var listId: StorageGRDB.Column<UUID> { .init("listId") }
                    var next: StorageGRDB.Column<Int64?> { .init("next") }
                    var slug: StorageGRDB.Column<String> { .init("slug") }
                    var tags: StorageGRDB.JSONColumn<[String]> { .init("tags") }
                    let geo = StorageGRDB._embedded("geo", "geo_", Geo.self)
                    var position: StorageGRDB.Column<Int> { .init("position") }
                    var list: StorageGRDB.ToOne<Lists.RemindersList> { .init("list", key: "listId") }
                    var updatedAt: StorageGRDB.Column<Foundation.Date> { .init("updatedAt") }
                    fileprivate init() {
                    }
                }
                nonisolated static let storageColumns = StorageColumns()

                nonisolated static func _describe(_ table: inout StorageGRDB.EntityDescription) {
                    table.columns(["id", "listId", "next", "slug"], [Int64?.self, UUID.self, Int64?.self, String.self])
                    table.json("tags", [String].self)
                    table.embedded(Self.storageColumns.geo, renamedFrom: ["place_", "location_"])
                    table.columns(["position"], [Int.self])
                    table.renamed(from: ["tasks", "todos"])
                    table.index(["listId", "position"])
                    table.unique(["listId", "slug"])
                    table.reference("listId", UUID.self, to: Lists.RemindersList.self, onDelete: .cascade)
                    table.renamed("listId", from: ["list"])
                    table.reference("next", Int64?.self, to: Reminder.self, onDelete: .setNull, onUpdate: .restrict)
                    table.unique(["slug"], ignoringCase: true)
                    table.unique(["tags"])
                }

                nonisolated static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    try Self(id: row.nextValue() as Int64?, listId: row.nextValue() as UUID, next: row.nextValue() as Int64?, slug: row.nextValue() as String, tags: row.nextJSON() as [String], geo: row.next(Self.storageColumns.geo) as Geo, position: row.nextValue() as Int)
                }
            }

            /// The row of ``Reminder`` in its table.
            nonisolated struct ReminderRecord: StorageGRDB.GeneratedRecord, StorageGRDB.StampedRecord {
                typealias E = Reminder
                static var databaseTableName: Swift.String { "reminders" }
                let _row: StorageGRDB.StoredRow<E>
                init(_row: StorageGRDB.StoredRow<E>) {
                    self._row = _row
                }
                init(id: Int64? = nil, listId: UUID, next: Int64? = nil, slug: String, tags: [String], geo: Geo, position: Int, updatedAt: Foundation.Date) {
                    _row = StorageGRDB.StoredRow(Self.E(id: id, listId: listId, next: next, slug: slug, tags: tags, geo: geo, position: position), savedAt: updatedAt)
                }
            }

            nonisolated extension Reminder: StorageGRDB.RegisteredEntity, StorageGRDB.GeneratedEntity, StorageGRDB.EntityWithGivenId, StorageGRDB.ComparedByParts, StorageGRDB.CodedByProperties {
                typealias Record = ReminderRecord
                func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.appendValue(self.id)
                    try row.appendValue(self.listId)
                    try row.appendValue(self.next)
                    try row.appendValue(self.slug)
                    try row.appendJSON(self.tags)
                    try row.append(self.geo, Self.storageColumns.geo)
                    try row.appendValue(self.position)
                }
                func _isEqual(to other: Self) -> Swift.Bool {
                    var equality = StorageGRDB._Equality()
                    equality.compare(self.id, other.id)
                    equality.compare(self.listId, other.listId)
                    equality.compare(self.next, other.next)
                    equality.compare(self.slug, other.slug)
                    equality.compare(self.tags, other.tags)
                    equality.compare(self.geo, other.geo)
                    equality.compare(self.position, other.position)
                    return equality.holds
                }
                init(_properties properties: inout StorageGRDB.PropertyDecoder) throws {
                    self.id = try properties.value("id")
                    self.listId = try properties.value("listId")
                    self.next = try properties.value("next")
                    self.slug = try properties.value("slug")
                    self.tags = try properties.value("tags")
                    self.geo = try properties.value("geo")
                    self.position = try properties.value("position")
                }
                func _encodeProperties(to properties: inout StorageGRDB.PropertyEncoder) throws {
                    try properties.append(self.id, "id")
                    try properties.append(self.listId, "listId")
                    try properties.append(self.next, "next")
                    try properties.append(self.slug, "slug")
                    try properties.append(self.tags, "tags")
                    try properties.append(self.geo, "geo")
                    try properties.append(self.position, "position")
                }
            }
            """)
    }

    @Test func columnsInAnotherOrderAreAnotherIndex() {
        let source = """
            @StorageEntity(indexes: [["a", "b"], ["b", "a"]])
            struct Pair {
                var id: Int
                var a: Int
                var b: Int
            }
            """
        #expect(expansion(of: source).contains("table.index([\"b\", \"a\"])"))
    }

    @Test func aTableThatSaysItsNameMayHaveHadTheOneThatItWouldHaveWithout() {
        let source = """
            @StorageEntity(table: "tasks", renamedFrom: "reminders")
            struct Reminder {
                var id: Int
            }
            """
        #expect(expansion(of: source).contains("table.renamed(from: [\"reminders\"])"))
    }

    @Test(arguments: ["String", "UUID", "URL?", "Code"]) func caseIsIgnoredInWhatMayHaveLetters(type: String) {
        let source = """
            @StorageEntity
            struct Item {
                var id: Int
                @StorageUnique(ignoringCase: true) var code: \(type)
            }
            """
        #expect(expansion(of: source).contains("table.unique([\"code\"], ignoringCase: true)"))
    }

    @Test(arguments: ["String", "Int", "Date?"]) func aKeyMaySayThatItDoesNotIgnoreCase(type: String) {
        let source = """
            @StorageEntity
            struct Item {
                var id: Int
                @StorageUnique(ignoringCase: false) var code: \(type)
            }
            """
        #expect(expansion(of: source).contains("table.unique([\"code\"])"))
    }

    @Test func aVersionKeepsItsDataUnderAnotherName() {
        let source = """
            @StorageEntity
            struct Note {
                var id: Int
                @StorageRenamed(from: "edition") @StorageVersion var version = 0
            }
            """
        #expect(expansion(of: source).contains("table.renamed(\"version\", from: [\"edition\"])"))
    }

    @Test(arguments: ["Int?", "Int64?", "Optional<Int>", "Swift.Int?", "Swift.Int64?"])
    func anIdIsGivenInAnySpellingOfItsType(type: String) {
        let expanded = expansion(of: "@StorageEntity struct Line { var id: \(type) }")
        #expect(expanded.contains("StorageGRDB.EntityWithGivenId"))
    }

    @Test func aPublicInitialiserTakesWhatIsNotStoredIfOthersMaySeeIt() {
        let source = """
            @StorageEntity
            public struct User {
                public var id: Int
                @StorageIgnored public var isOpen = false
                @StorageIgnored var cache: [String: Int] = [:]
            }
            """
        #expect(
            expansion(of: source).contains("public init(id: Int, isOpen: Swift.Bool = false, _: Swift.Void = ()) {"))
        #expect(expansion(of: source).contains("self = Self(id: id, isOpen: isOpen)"))
    }

    @Test func whatIsNotStoredIsNotAssigned() {
        let source = """
            @StorageEntity
            struct User {
                var id: Int
                @StorageIgnored private var cache: [String: Int] = [:]
                @StorageIgnored let kind = 1

                init(id: Int) { self.id = id }
            }
            """
        let expanded = expansion(of: source)
        #expect(expanded.contains("self.id = try row.nextValue()"))
        #expect(!expanded.contains("self.cache") && !expanded.contains("self.kind"))
    }

    @Test func aTypeThatIsCalledLikeAPropertyIsFound() {
        let source = """
            @StorageEntity
            struct User {
                var id: Int
                @StorageReference(Team.self) var Team: Int
            }
            """
        #expect(expansion(of: source).contains("to: StorageGRDB._Type<Team>.itself"))
    }

    @Test func keysOfTheAppsOwnAreNotWrittenTwice() {
        let source = """
            @StorageEntity
            struct User {
                enum CodingKeys: String, CodingKey { case id }
                var id: Int
                @StorageIgnored var isOpen = false
            }
            """
        #expect(expansion(of: source).components(separatedBy: "enum CodingKeys").count == 2)
    }
}
