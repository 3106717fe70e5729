import StorageGRDB
import StorageKit
import StorageTestSupport
import Testing

/// What attributes declare of a table, as `tableSchema` has it.
@Suite struct DeclaredSchemaTests {
    @StorageEntity
    struct RemindersList {
        var id: UUID
        var title: String
        @StorageHasMany(foreignKey: "listId") var reminders: [Reminder]
    }

    @StorageEntity(indexes: [["listId", "position"], ["dueDate"]], unique: [["listId", "title"]])
    struct Reminder {
        var id: UUID
        @StorageReference(RemindersList.self, onDelete: .cascade) var listId: UUID
        @StorageUnique(ignoringCase: true) var slug: String
        @StorageRenamed(from: "body") var notes = ""
        @StorageIgnored var isExpanded = false
        var title: String
        var dueDate: Date?
        var position: Int
    }

    struct Address: Codable, Sendable {
        var street: String
        var city: String
    }

    @StorageEntity(
        table: "people", indexes: [["home_city", "updatedAt"]], renamedFrom: "folks", "humans")
    struct Person {
        var id: Int64?
        @StorageUnique var name: String
        @StorageReference(Person.self, onDelete: .setNull, onUpdate: .cascade, as: "mother") var motherId: Int64?
        @StorageReference(Pet.self, onDelete: .restrict) var `default`: String
        @StorageRenamed(from: "house", "ship_", "") @StorageEmbedded(prefix: "home_") var address: Address
        @StorageRenamed(from: "meta", "extras") @StorageJSON @StorageUnique var extra: [String: Int]
    }

    @StorageEntity(table: "all pets", indexes: [["ownerId", "id"]])
    struct Pet {
        @StorageReference(Tag.self) @StorageRenamed(from: "chip") var id: String
        @StorageReference(Person.self) var ownerId: Int64
        @StorageUnique @StorageReference(Person.self) var walkerId: Int64?
        @StorageUnique(ignoringCase: true) @StorageReference(Tag.self) var tagId: String?
    }

    @StorageEntity
    struct Tag {
        var id: String
    }

    @StorageEntity(indexes: [["home_citty"]])
    struct Guess {
        var id: String
        @StorageEmbedded var home: Address
    }

    @StorageEntity
    struct Moved {
        var id: String
        var old_city: String
        @StorageRenamed(from: "old") @StorageEmbedded var home: Address
    }

    @Test func theTableHasWhatIsDeclared() {
        let schema = ReminderRecord.tableSchema
        #expect(
            schema.columns.map(\.name)
                == ["id", "listId", "slug", "notes", "title", "dueDate", "position", "updatedAt"])
        #expect(
            schema.indexes == [
                IndexSchema(["listId", "position"]), IndexSchema(["dueDate"]),
                IndexSchema(["listId", "title"], isUnique: true),
                IndexSchema(["slug"], isUnique: true, ignoresCase: true),
            ])
        #expect(
            schema.references == [ReferenceSchema(column: "listId", table: "reminderslists", onDelete: .cascade)])
        #expect(schema.formerColumnNames == ["notes": ["body"]])
        #expect(schema.formerNames.isEmpty)
        #expect(!schema.givesIds)
    }

    @Test func aReferenceIsToTheTableAndKeyOfTheParentAndToAnEntityItself() {
        #expect(
            PersonRecord.tableSchema.references == [
                ReferenceSchema(column: "motherId", table: "people", onDelete: .setNull, onUpdate: .cascade),
                ReferenceSchema(column: "default", table: "all pets", onDelete: .restrict),
            ])
        #expect(PetRecord.tableSchema.references.map(\.table) == ["tags", "people", "people", "tags"])
    }

    @Test func entitiesThatReferToEachOtherMayBeAskedAtOnce() async throws {
        let schemas = try await inParallel(8) { [PersonRecord.tableSchema, PetRecord.tableSchema] }
        #expect(schemas.allSatisfy { $0 == [PersonRecord.tableSchema, PetRecord.tableSchema] })
    }

    @Test func aReferenceHasAnIndexUnlessOneOrAKeyBeginsWithIt() {
        #expect(
            PersonRecord.tableSchema.wantedIndexes.suffix(2) == [IndexSchema(["motherId"]), IndexSchema(["default"])])
        // One that ignores case does not find a child by the bytes of its parent's id.
        #expect(
            PetRecord.tableSchema.wantedIndexes == [
                IndexSchema(["ownerId", "id"]), IndexSchema(["walkerId"], isUnique: true),
                IndexSchema(["tagId"], isUnique: true, ignoresCase: true), IndexSchema(["tagId"]),
            ])
    }

    @Test func anIndexMayNameColumnsOfValuesAndTheTimeOfTheLastSave() {
        #expect(PersonRecord.tableSchema.indexes.first == IndexSchema(["home_city", "updatedAt"]))
        #expect(PersonRecord._schemaProblem == nil)
    }

    @Test func formerNamesAreThoseOfTheTableOfColumnsAndOfAllColumnsOfAValue() {
        let schema = PersonRecord.tableSchema
        #expect(schema.formerNames == ["folks", "humans"])
        #expect(
            schema.formerColumnNames == [
                "home_street": ["house_street", "ship_street", "street"],
                "home_city": ["house_city", "ship_city", "city"], "extra": ["meta", "extras"],
            ])
        #expect(PetRecord.tableSchema.formerColumnNames == ["id": ["chip"]])
    }

    @Test func aTableGivesItsIdsWhereTheyMayBeNil() {
        #expect(PersonRecord.tableSchema.givesIds)
        #expect(
            PersonRecord.tableSchema.column(named: "id")
                == ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true))
    }

    @Test func anEntityThatDeclaresNothingHasNothing() {
        let schema = TagRecord.tableSchema
        #expect(schema.indexes.isEmpty && schema.references.isEmpty && schema.formerColumnNames.isEmpty)
    }

    // MARK: At the start

    @Test func aColumnThatTheCompilerDoesNotSeeIsCheckedAtTheStart() throws {
        let error = try #require(throws: StorageError.self) { try TemporaryStore { $0.autoSchema(GuessRecord.self) } }
        guard case .invalidConfiguration(let message) = error else { throw error }
        #expect(
            message == "an index of 'Guess' names the column 'home_citty', which table 'guesss' does not have; "
                + "did you mean 'home_city'?")
    }

    @Test func aFormerNameThatTheCompilerDoesNotSeeIsCheckedAtTheStart() throws {
        let error = try #require(throws: StorageError.self) { try TemporaryStore { $0.autoSchema(MovedRecord.self) } }
        guard case .invalidConfiguration(let message) = error else { throw error }
        #expect(message == "'home_city' of 'Moved' cannot be renamed from 'old_city', which is a column of today's")
    }

    // MARK: Records written by hand

    struct Rower: RegisteredEntity {
        typealias Record = RowerRecord
        var id: String
        var boat: String?
    }

    struct RowerRecord: StorageKitEntityRecord, Codable {
        typealias E = Rower
        static let databaseTableName = "rowers"
        static let schemaColumns = [
            ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true),
            ColumnSchema(name: "boat", type: "TEXT"),
        ]
        static let schemaIndexes = [IndexSchema(["boat", "id"], isUnique: true)]
        static let schemaReferences = [ReferenceSchema(column: "boat", table: "boats", onDelete: .setNull)]

        var id: String
        var boat: String?

        func asEntity() -> Rower { Rower(id: id, boat: boat) }
        static func from(_ rower: Rower, now: Date) -> RowerRecord { RowerRecord(id: rower.id, boat: rower.boat) }
    }

    struct StrayRecord: StorageKitEntityRecord, Codable {
        typealias E = Rower
        static let databaseTableName = "rowers"
        static let schemaColumns = RowerRecord.schemaColumns
        static let schemaReferences = [ReferenceSchema(column: "boats", table: "boats")]

        var id: String

        func asEntity() -> Rower { Rower(id: id) }
        static func from(_ rower: Rower, now: Date) -> StrayRecord { StrayRecord(id: rower.id) }
    }

    @Test func aRecordWrittenByHandDeclaresKeysAndReferences() {
        let schema = RowerRecord.tableSchema
        #expect(schema.indexes == RowerRecord.schemaIndexes)
        #expect(schema.references == RowerRecord.schemaReferences)
        #expect(!schema.givesIds && RowerRecord._schemaProblem == nil)
    }

    @Test func aReferenceOfARecordWrittenByHandNamesAColumn() {
        #expect(
            StrayRecord._schemaProblem
                == "a reference of 'Rower' names the column 'boats', which table 'rowers' does not have; "
                + "did you mean 'boat'?")
    }
}
