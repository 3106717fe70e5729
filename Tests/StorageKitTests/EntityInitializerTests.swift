import StorageKit
import StorageTestSupport
import Testing

@propertyWrapper
struct PlainBox: Codable, Sendable {
    var wrappedValue: Int
}

@StorageEntity(table: "spelt_entities")
struct SpeltEntity {
    struct Spot: Codable {
        var x: Int
    }

    var id: Int
    var theme: Int = if Bool(true) { 7 } else { 8 }
    @StorageEmbedded var spot: Optional<Spot>
    @PlainBox var boxed: Int
    @StorageHasMany(foreignKey: "speltId") var children: [SpeltChild]
}

@propertyWrapper
struct Bounded: Codable, Sendable {
    private var value: Int
    private let most: Int
    var wrappedValue: Int {
        get { value }
        set { value = min(newValue, most) }
    }

    init(wrappedValue: Int = 0, _ most: Int = 9) {
        self.value = min(wrappedValue, most)
        self.most = most
    }
}

@StorageEntity(table: "bounded_entities")
struct BoundedEntity {
    var id: Int
    @Bounded(5) var level: Int
    @Bounded() var row: Int
    var name: String
}

@StorageEntity(table: "bounded_parents")
struct BoundedParent {
    var id: Int
    @Bounded(5) var level: Int
    var name: String
    @StorageHasMany(foreignKey: "speltId") var children: [SpeltChild]
}

@StorageSelection
struct BoundedRow {
    @Bounded(5) var level: Int
    let name: String
}

@StorageEntity(table: "spelt_children")
struct SpeltChild {
    var id: Int
    var speltId: Int
}

@StorageEntity(table: "spelt_grandchildren")
struct SpeltGrandchild {
    var id: Int
    var childId: Int
    @StorageBelongsTo(foreignKey: "childId") var child: Optional<SpeltChild>
}

@StorageEntity(table: "oddly_made")
struct OddlyMade {
    var id: Int
    var _values: Int
    var `self`: Int
    var _self: Int

    init(id: Int) {
        self.id = id
        (_values, self.`self`, _self) = (1, 2, 3)
    }
}

/// How other modules make entities and records.
@Suite struct EntityInitializerTests {
    @Test func aPublicEntityIsMadeByAnotherModule() {
        let ticket = TestTicket(id: "1", title: "a", level: .high)
        #expect(ticket.level == .high && ticket.note == nil && ticket.stars == 0)
        #expect(TestTicket(id: "1", title: "a", level: .low, note: "n", stars: 3).stars == 3)
    }

    @Test func whatOthersDoNotSeeKeepsNoPublicEntityFromBeingMade() async throws {
        let store = try TemporaryStore {
            $0.autoSchema(
                HiddenFlagsRecord.self, HiddenMarksRecord.self, SpeltEntityRecord.self, SpeltChildRecord.self)
        }
        try await store.storage.save(HiddenFlags(id: 1, name: "a"))
        try await store.storage.save(HiddenMarks(id: 1))
        #expect(try await store.storage.all(HiddenFlags.self).map(\.name) == ["a"])
        #expect(try await store.storage.all(HiddenMarks.self).map(\.id) == [1])
        #expect(HiddenMarksRecord(id: 3, updatedAt: .distantPast).asEntity().id == 3)
    }

    @Test func aDefaultOfSeveralBranchesAnOptionalWrittenOutAndAWrapperAreProperties() async throws {
        let store = try TemporaryStore { $0.autoSchema(SpeltEntityRecord.self, SpeltChildRecord.self) }
        try await store.storage.save(SpeltEntity(id: 1, spot: .init(x: 3), boxed: 4))
        let found = try #require(try await store.storage.get(SpeltEntity.self, id: 1))
        #expect(found.theme == 7 && found.spot?.x == 3 && found.boxed == 4)
        #expect(try await store.storage.query(SpeltEntity.self).where { $0.spotX == 3 }.count() == 1)
    }

    @Test func aPropertyWhoseWrapperHasArgumentsIsReadAndSelectedWithoutAValueOfItsOwn() async throws {
        let store = try TemporaryStore {
            $0.autoSchema(BoundedEntityRecord.self, BoundedParentRecord.self, SpeltChildRecord.self)
        }
        let storage = store.storage
        var entity = BoundedEntity(id: 1, name: "a")
        entity.level = 4
        entity.row = 8
        try await storage.save(entity)
        let found = try #require(try await storage.get(BoundedEntity.self, id: 1))
        #expect(found.level == 4 && found.row == 8 && found.name == "a")

        try await storage.save(BoundedParent(id: 1, level: 70, name: "b"))
        #expect(try await storage.get(BoundedParent.self, id: 1)?.level == 5)

        let rows = try await storage.query(BoundedEntity.self)
            .select { BoundedRow.columns(level: $0.level, name: $0.name) }.fetch()
        #expect(rows.map(\.level) == [4] && rows.map(\.name) == ["a"])
    }

    @Test func aPublicEntityInAnotherTypeIsMadeByAnotherModule() {
        #expect(TestDesk.Drawer(id: 1, kind: .closed).kind == .closed)
        #expect(TestDesk.Desk(id: 1, updatedAt: .distantPast).drawers.isEmpty)
        #expect(TestDesk.Desk(id: 1, updatedAt: .distantPast, drawers: [.init(id: 2, kind: .open)]).drawers.count == 1)
    }

    @Test func aRecordIsMadeOfTheValuesOfItsRow() {
        let time = Date(timeIntervalSince1970: 5)
        let record = TestTicketRecord(id: "1", title: "a", level: .high, note: "n", stars: 2, updatedAt: time)
        #expect(record.asEntity() == TestTicket(id: "1", title: "a", level: .high, note: "n", stars: 2))
        #expect(record.updatedAt == time)
        #expect(TestTicketRecord(id: "1", title: "a", level: .low, stars: 0, updatedAt: time).note == nil)
    }

    @Test func aRecordWhoseEntityKeepsTheTimeTakesItOnce() {
        let time = Date(timeIntervalSince1970: 5)
        #expect(TestDesk.DeskRecord(id: 1, updatedAt: time).asEntity() == TestDesk.Desk(id: 1, updatedAt: time))
    }

    @Test func aRecordIsMadeWhereTheEntityHasItsOwnInitializer() {
        let record = TestMadeRecord(id: "7", sum: 3, updatedAt: .distantPast)
        #expect(record.asEntity().id == "7" && record.asEntity().sum == 3)
    }

    @Test func aParentWhoseOptionalIsWrittenOutIsNilInARecordThatIsMade() {
        let record = SpeltGrandchildRecord(id: 1, childId: 2, updatedAt: .distantPast)
        #expect(record.asEntity() == SpeltGrandchild(id: 1, childId: 2, child: nil))
    }

    @Test func aRecordIsMadeOfPropertiesUnderTheNamesOfItsParameters() {
        let made = OddlyMadeRecord(id: 7, _values: 1, self: 2, _self: 3, updatedAt: .distantPast)
        #expect(made.asEntity() == OddlyMade(id: 7))
    }

    @Test func aChangedRecordLeavesItsCopyAsItWas() {
        let record = TestTicketRecord(id: "1", title: "a", level: .high, stars: 2, updatedAt: .distantPast)
        var changed = record
        changed.title = "b"
        changed.updatedAt = .distantFuture
        #expect(record.title == "a" && record.updatedAt == .distantPast)
        #expect(changed.title == "b" && changed.updatedAt == .distantFuture)
    }

    @Test func aRecordThatWasMadeIsSavedByGRDBAndReadByTheStore() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestTicketRecord.self) }
        let record = TestTicketRecord(id: "1", title: "a", level: .high, stars: 2, updatedAt: .distantPast)
        try await store.context.storage.dbActor.write { try record.insert($0) }
        #expect(try await store.storage.get(TestTicket.self, id: "1") == record.asEntity())
    }
}
