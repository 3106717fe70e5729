import Foundation
import StorageKit
import StorageTestSupport
import Testing

@Suite struct ToManyTests {
    private let some = SomeReminders()
    private let store: TemporaryStore
    private var lists: Query<RemindersList> { store.storage.query(RemindersList.self) }
    private var reminders: Query<Reminder> { store.storage.query(Reminder.self) }

    init() async throws {
        store = try await some.store()
    }

    private func titles(_ condition: (ColumnRef<RemindersList>) -> Column<Bool>) async throws -> [String] {
        try await lists.where(condition).orderBy(\.position).fetch().map(\.title)
    }

    private func titles(of condition: (ColumnRef<Reminder>) -> Column<Bool>) async throws -> [String] {
        try await reminders.where(condition).orderBy(\.id).fetch().map(\.title)
    }

    @Test func thereIsARowThatMeetsACondition() async throws {
        try await expectQuery(
            lists.where { $0.reminders.exists { $0.isFlagged } },
            #"""
            "reminderslists" WHERE EXISTS (SELECT 1 FROM "reminders" WHERE (likelihood("reminderslists"."id" = "reminders"."listId", 0.000001)) AND ("reminders"."isFlagged" = ?))
            """#, ids: [some.home.id])
        #expect(try await titles { $0.reminders.exists() } == ["Work", "Home"])
        #expect(try await titles { $0.reminders.isEmpty } == ["Empty"])
        #expect(try await titles { !$0.reminders.isEmpty } == ["Work", "Home"])
        #expect(try await titles { $0.reminders.isEmpty { $0.isFlagged } } == ["Work", "Empty"])
    }

    @Test func rowsAreCounted() async throws {
        try await expectQuery(
            lists.where { $0.reminders.count { $0.status == .incomplete } > 1 },
            #"""
            "reminderslists" WHERE (SELECT COUNT(*) FROM "reminders" WHERE (likelihood("reminderslists"."id" = "reminders"."listId", 0.000001)) AND ("reminders"."status" = ?)) > ?
            """#, ids: [some.home.id])
        #expect(try await titles { $0.reminders.count() == 0 } == ["Empty"])
        #expect(try await titles { $0.reminders.count(\.dueDate) == 2 } == ["Home"])
        #expect(try await titles { $0.reminders.count(\.dueDate) { $0.isFlagged } == 1 } == ["Home"])
        #expect(try await titles { $0.reminders.count(of: { $0.assignee.name }) == 1 } == ["Work"])
        #expect(try await titles { $0.reminders.count(distinct: \.assigneeId) == 2 } == ["Home"])
        #expect(try await titles { $0.reminders.count(distinct: { $0.status }) == 2 } == ["Work", "Home"])
        #expect(try await titles { $0.reminders.count(distinct: \.status) { $0.isFlagged } == 1 } == ["Home"])
    }

    @Test func aConditionLeadsThroughSeveralRelations() async throws {
        let related: @Sendable (ColumnRef<RemindersList>) -> Column<Bool> = { list in
            list.reminders.exists { mine in
                mine.tags.exists { tag in tag.reminders.exists { $0.id != mine.id && $0.listId != list.id } }
            }
        }
        #expect(try await titles(related) == ["Work", "Home"])
        #expect(try await titles { !related($0) } == ["Empty"])
        let emptyToo = try await titles { $0.color != 0 && ($0.title == "Empty" || related($0)) }
        #expect(emptyToo == ["Work", "Home", "Empty"])
        #expect(try await lists.orderBy(\.position).select { related($0) }.fetch() == [true, true, false])
        let probe = StreamProbe(lists.where(related).orderBy(\.position).observe())
        #expect(try await probe.next().map(\.title) == ["Work", "Home"])
        #expect(try await lists.where(related).updateAll { [$0.color.set(to: $0.reminders.count())] } == 2)
        #expect(try await probe.first { $0.map(\.color) == [2, 3] }.map(\.title) == ["Work", "Home"])
        #expect(try await lists.where(related).deleteAll() == 2)
        #expect(try await probe.first { $0.isEmpty }.isEmpty)
    }

    @Test func aConditionThatIsNilCountsNothing() async throws {
        // Not in how many rows it is not nil.
        #expect(try await titles { $0.reminders.count { $0.assignee.isAda } == 1 } == ["Work", "Home"])
        #expect(try await titles { $0.reminders.exists { $0.assignee.isAda } } == ["Work", "Home"])
        #expect(try await titles { $0.reminders.isEmpty { $0.assignee.isAda } } == ["Empty"])
    }

    @Test func numbersAreAddedAndTheirMeanTaken() async throws {
        #expect(try await titles { $0.reminders.sum(\.position) == 6 } == ["Work", "Home"])
        #expect(try await titles { $0.reminders.sum(\.position) == 0 } == ["Empty"])
        #expect(try await titles { $0.reminders.sum(\.position) { $0.isFlagged } == 1 } == ["Home"])
        #expect(try await titles { $0.reminders.sum { $0.position * 2 } == 12 } == ["Work", "Home"])
        #expect(try await titles { $0.reminders.sum { $0.assignee.number } == 3 } == ["Home"])
        #expect(
            try await titles { $0.reminders.sum(of: { $0.position * 2 }, where: { $0.isFlagged }) == 2 } == ["Home"])
        #expect(try await titles { $0.reminders.avg(\.position) == 3.0 } == ["Work"])
        #expect(try await titles { $0.reminders.avg(\.position) == nil } == ["Empty"])
        #expect(try await titles { $0.reminders.avg(\.position) { $0.isFlagged } == 1.0 } == ["Home"])
        #expect(try await titles { $0.reminders.avg { $0.position + 1 } > 3.5 } == ["Work"])
    }

    @Test func theLeastAndTheGreatestAreFound() async throws {
        let day = SomeReminders.day
        #expect(try await titles { $0.reminders.min(\.dueDate) == day } == ["Work", "Home"])
        #expect(try await titles { $0.reminders.max(\.dueDate) == day + 60 } == ["Home"])
        #expect(try await titles { $0.reminders.max(\.dueDate) == nil } == ["Empty"])
        #expect(try await titles { $0.reminders.max(\.position) == 5 } == ["Work"])
        #expect(try await titles { $0.reminders.min(\.position) { $0.status == .completed } == 2 } == ["Home"])
        #expect(try await titles { $0.reminders.max { $0.position * 2 } > 8 } == ["Work"])
        #expect(
            try await titles { $0.reminders.min(of: { $0.dueDate }, where: { !$0.isFlagged }) == day + 60 } == ["Home"])
    }

    @Test func rowsAreSortedByWhatIsMadeOfOthers() async throws {
        try await expectQuery(
            lists.orderBy({ $0.reminders.max(\.dueDate) }, .descending, nulls: .last),
            #"""
            "reminderslists" ORDER BY (SELECT MAX("reminders"."dueDate") FROM "reminders" WHERE "reminderslists"."id" = "reminders"."listId") DESC NULLS LAST
            """#, ids: [some.home.id, some.work.id, some.empty.id])
    }

    @Test func othersAreFoundThroughALink() async throws {
        try await expectQuery(
            reminders.where { $0.tags.exists { $0.id == "swim" } }.orderBy(\.id),
            #"""
            "reminders" WHERE EXISTS (SELECT 1 FROM "taggings" JOIN "tags" ON "tags"."id" = "taggings"."tagId" WHERE (likelihood("reminders"."id" = "taggings"."reminderId", 0.000001)) AND ("tags"."id" IS NOT NULL) AND ("tags"."id" = ?)) ORDER BY "reminders"."id" ASC
            """#, ids: [SomeReminders.id(21), SomeReminders.id(24)])
        #expect(try await titles(of: { $0.tags.exists { _ in Predicate(sql: "id = 'cook'") } }) == ["Milk", "Bread"])
        #expect(try await titles(of: { $0.tags.exists { _ in Column<String>("id") == "cook" } }) == ["Milk", "Bread"])
        #expect(try await titles(of: { $0.tags.count() == 2 }) == ["Milk"])
        #expect(try await titles(of: { $0.tags.isEmpty }) == ["Salt", "Call"])
        let tags = store.storage.query(Tag.self).orderBy(\.id)
        #expect(try await tags.where { $0.reminders.exists { $0.list.title == "Work" } }.fetch().map(\.id) == ["swim"])
        #expect(try await tags.where { $0.reminders.max(\.position) == 2 }.fetch().map(\.id) == ["cook"])
    }

    @Test func anInnerClosureUsesWhatAnOuterOneHolds() async throws {
        // Milk and Report are due at once, in two lists.
        #expect(
            try await titles(of: { mine in
                mine.list.reminders.exists { $0.id != mine.id && $0.dueDate == mine.dueDate }
            }) == [])
        try await reminders.where { $0.title == "Bread" }.updateAll { [$0.dueDate.set(to: SomeReminders.day)] }
        #expect(
            try await titles(of: { mine in
                mine.list.reminders.exists { $0.id != mine.id && $0.dueDate == mine.dueDate }
            }) == ["Milk", "Bread"])
    }

    @Test func whatIsSummedUpMayBeTheOuterRowsAlone() async throws {
        #expect(
            try await titles(of: { mine in mine.list.reminders.sum { _ in mine.position } == 6 }) == ["Bread"])
        #expect(try await titles(of: { mine in mine.tags.max { _ in mine.list.position } == 2 }) == ["Milk", "Bread"])
    }

    @Test func anAggregateOverAPathIsOfEachRow() async throws {
        #expect(
            try await titles(of: { $0.position.as(Double.self) < 0.9 * $0.list.reminders.avg(\.position) })
                == ["Milk", "Report"])
    }

    @Test func rowsAreCountedPagedAndDeletedByWhatOthersSay() async throws {
        #expect(try await lists.where { $0.reminders.isEmpty }.count() == 1)
        let sorted = lists.orderBy({ $0.reminders.count() }, .descending)
        let first = try await sorted.page(limit: 2)
        let rest = try await sorted.page(after: first.next, limit: 2)
        #expect((first.items + rest.items).map(\.title) == ["Home", "Work", "Empty"])
        #expect(try await reminders.where { mine in mine.list.reminders.count() == 2 }.deleteAll() == 2)
        #expect(try await titles { $0.reminders.isEmpty } == ["Work", "Empty"])
        #expect(try await lists.where { $0.reminders.isEmpty }.deleteAll() == 2)
    }
}

extension ColumnRef<Person> {
    fileprivate var isAda: Column<Bool> { self.name == "Ada" }
    fileprivate var number: Column<Int> { (self.name == "Ada").then(1, else: 2) }
}

/// Links that refer twice to one entity, or not at all.
@Suite struct RelationLinkTests {
    @StorageEntity
    struct Member {
        var id: Int
        @StorageHasMany(through: Friendship.self, from: "oneId", to: "otherId") var friends: [Member]
        @StorageHasMany(through: Friendship.self, from: "otherId") var admirers: [Member]
        @StorageHasMany(through: Friendship.self, to: "oneId") var fans: [Member]
        @StorageHasMany(through: Friendship.self) var unclear: [Member]
        @StorageHasMany(through: Group.self) var strangers: [Group]
    }

    @StorageEntity
    struct Friendship {
        var id: Int
        @StorageReference(Member.self) var oneId: Int
        @StorageReference(Member.self) var otherId: Int
    }

    @StorageEntity
    struct Group { var id: Int }

    private func store() async throws -> TemporaryStore {
        let store = try TemporaryStore { $0.autoSchema(MemberRecord.self, FriendshipRecord.self, GroupRecord.self) }
        try await store.storage.save([Member(id: 1), Member(id: 2), Member(id: 3)])
        try await store.storage.save([
            Friendship(id: 1, oneId: 1, otherId: 2), Friendship(id: 2, oneId: 1, otherId: 3),
            Friendship(id: 3, oneId: 1, otherId: 3),
        ])
        return store
    }

    @Test func aLinkSaysWhichOfItsReferencesIsMeant() async throws {
        let store = try await store()
        let members = store.storage.query(Member.self).orderBy(\.id)
        #expect(try await members.where { $0.friends.exists { $0.id == 2 } }.fetch().map(\.id) == [1])
        #expect(try await members.where { $0.admirers.exists { $0.id == 1 } }.fetch().map(\.id) == [2, 3])
    }

    @Test func ofTwoReferencesTheOneThatLeadsOnSettlesTheOther() async throws {
        let store = try await store()
        let members = store.storage.query(Member.self).orderBy(\.id)
        #expect(try await members.where { $0.fans.exists { $0.id == 1 } }.fetch().map(\.id) == [2, 3])
    }

    @Test func eachRowCountsOnceHoweverOftenItIsLinked() async throws {
        let store = try await store()
        let members = store.storage.query(Member.self)
        #expect(try await members.where { $0.friends.count() == 2 }.fetch().map(\.id) == [1])
    }

    @Test func aLinkThatDoesNotSayIsRefused() async throws {
        let store = try await store()
        let members = store.storage.query(Member.self)
        let unclear = await #expect(throws: StorageError.self) {
            try await members.where { $0.unclear.exists() }.fetch()
        }
        #expect("\(unclear as Any)".contains("'oneId', 'otherId'"))
        let missing = await #expect(throws: StorageError.self) {
            try await members.where { $0.strangers.count() > 0 }.fetch()
        }
        #expect("\(missing as Any)".contains("has no reference to"))
    }
}
