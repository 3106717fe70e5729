import Foundation
import StorageKit
import StorageTestSupport
import Testing

extension ColumnRef<Reminder> {
    fileprivate var isOpen: Column<Bool> { self.status == .incomplete }
    fileprivate var words: Column<String> { self.title + "!" }
}

extension ColumnRef<RemindersList> {
    fileprivate var standsSomewhere: Column<Bool> {
        (0..<20_000).map { (position: Int) -> Column<Bool> in self.position == position }.any
    }
    fileprivate var isFarTooDeep: Column<Bool> { self.position.conditionFarTooDeep }
}

extension ColumnRef<Person> {
    fileprivate var isNotAda: Column<Bool> { self.name != "Ada" }
    fileprivate var greeting: Column<String> { "Hello " + self.name }
}

@Suite struct ToOnePathTests {
    private let some = SomeReminders()
    private let store: TemporaryStore
    private var reminders: Query<Reminder> { store.storage.query(Reminder.self) }

    init() async throws {
        store = try await some.store()
    }

    private func ids(_ numbers: Int...) -> [UUID] { numbers.map(SomeReminders.id) }

    @Test func aPathIsJoinedOnceHoweverOftenItIsUsed() async throws {
        try await expectQuery(
            reminders.where { $0.list.title == "Home" && !$0.isFlagged }.orderBy(\.list.position).orderBy(\.position),
            #"""
            "reminders" JOIN "reminderslists" "list" ON "list"."id" = "reminders"."listId" WHERE ("list"."title" = ?) AND ("reminders"."isFlagged" = ?) ORDER BY "list"."position" ASC, "reminders"."position" ASC
            """#, ids: ids(22, 23))
    }

    @Test func aChainOfAnyLengthIsFoundAlongAPath() async throws {
        #expect(try await reminders.where { $0.list.standsSomewhere }.count() == 5)
    }

    @Test func aConditionFarTooDeepIsRefusedAlongAPath() async {
        await expectRefusal("nested more than SQLite's parser can follow") {
            try await reminders.where { $0.list.isFarTooDeep }.count()
        }
    }

    @Test func aBrokenValueAtTheEndOfAPathIsToldWithItsTable() async throws {
        try await store.db.write { db in try db.execute(sql: "UPDATE reminderslists SET title = x'00'") }
        let error = await storageError { _ = try await reminders.select { $0.list.title }.fetch() }
        #expect("\(try #require(error))".contains("reminderslists.title"), "\(String(describing: error))")
    }

    @Test func aKeyThatMayBeNilIsJoinedFromTheLeft() async throws {
        try await expectQuery(
            reminders.where { $0.assignee.name == nil }.orderBy(\.id),
            #"""
            "reminders" LEFT JOIN "persons" "assignee" ON "assignee"."id" = "reminders"."assigneeId" WHERE "assignee"."name" IS NULL ORDER BY "reminders"."id" ASC
            """#, ids: ids(23, 25))
        #expect(try await reminders.where { $0.assignee == nil }.orderBy(\.id).fetch().map(\.id) == ids(23, 25))
        #expect(try await reminders.where { $0.assignee != nil }.count() == 3)
    }

    @Test func conditionsOnAPathMeanWhatTheyMeanInSwift() async throws {
        #expect(try await reminders.where { $0.assignee.name == "Ada" }.orderBy(\.id).fetch().map(\.id) == ids(21, 24))
        #expect(
            try await reminders.where { $0.assignee.name != "Ada" }.orderBy(\.id).fetch().map(\.id) == ids(22, 23, 25))
        #expect(
            try await reminders.where { !($0.assignee.name == "Ada") }.orderBy(\.id).fetch().map(\.id)
                == ids(22, 23, 25))
        #expect(try await reminders.where { $0.assignee.name.hasPrefix("B") }.fetch().map(\.id) == ids(22))
        #expect(try await reminders.where { $0.notes.contains("Ada") && $0.assignee.name == "Bob" }.count() == 1)
    }

    @Test func aPathIsAsLongAsItHasToBe() async throws {
        try await expectQuery(
            store.storage.query(Tagging.self).where { $0.reminder.list.title == "Home" }.orderBy(\.id),
            #"""
            "taggings" JOIN "reminders" "reminder" ON "reminder"."id" = "taggings"."reminderId" JOIN "reminderslists" "list" ON "list"."id" = "reminder"."listId" WHERE "list"."title" = ? ORDER BY "taggings"."id" ASC
            """#, ids: ids(31, 32, 33))
        try await expectQuery(
            store.storage.query(Tagging.self).where { $0.reminder.assignee.name == "Ada" && $0.tag.id == "swim" }
                .orderBy(\.id),
            #"""
            "taggings" JOIN "reminders" "reminder" ON "reminder"."id" = "taggings"."reminderId" LEFT JOIN "persons" "assignee" ON "assignee"."id" = "reminder"."assigneeId" JOIN "tags" "tag" ON "tag"."id" = "taggings"."tagId" WHERE ("assignee"."name" = ?) AND ("tag"."id" = ?) ORDER BY "taggings"."id" ASC
            """#, ids: ids(31, 34))
    }

    @Test func whatAnAppAddsToColumnsStandsBehindAPath() async throws {
        let taggings = store.storage.query(Tagging.self).orderBy(\.id)
        #expect(try await taggings.where { $0.reminder.isOpen }.fetch().map(\.id) == ids(31, 32, 34))
        #expect(try await taggings.where { !$0.reminder.isOpen }.fetch().map(\.id) == ids(33))
        #expect(try await taggings.where { $0.reminder.words == "Milk!" }.count() == 2)
    }

    @Test func whatFollowsFromNothingIsNil() async throws {
        // "not Ada" of nobody is nil, and not true.
        let open = reminders.orderBy(\.id)
        #expect(try await open.where { $0.assignee.isNotAda }.fetch().map(\.id) == ids(22))
        #expect(try await open.where { !$0.assignee.isNotAda }.fetch().map(\.id) == ids(21, 23, 24, 25))
        #expect(try await open.where { $0.assignee.isNotAda == nil }.fetch().map(\.id) == ids(23, 25))
        #expect(try await open.where { $0.assignee.greeting == "Hello Bob" }.fetch().map(\.id) == ids(22))
        #expect(try await open.where { $0.assignee.greeting == nil }.fetch().map(\.id) == ids(23, 25))
    }

    @Test func queriesTakePathsAsTheyTakeColumns() async throws {
        let home = reminders.where { $0.list.title == "Home" }
        #expect(try await home.count() == 3)
        #expect(try await home.exists())
        #expect(try await !reminders.where { $0.list.title == "Empty" }.exists())
        #expect(try await reminders.distinct(\.list.title) == ["Home", "Work"])
        #expect(try await reminders.distinct(\.assignee.name) == ["Ada", "Bob"])
        #expect(try await reminders.max(\.list.position) == 2)
        #expect(try await home.sum(\.list.position) == 6)
        #expect(try await reminders.first(by: \.list.position)?.listId == some.work.id)
        #expect(try await home.orderBy(\.assignee.name, nulls: .last).limit(1).count() == 1)
    }

    @Test func pagesGoOnInTheOrderOfAPath() async throws {
        let ordered = reminders.orderBy(\.assignee.name, .descending, nulls: .last).orderBy(\.list.title)
        let all = try await ordered.orderBy(\.id).fetch().map(\.id)
        #expect(all == ids(22, 21, 24, 23, 25))
        #expect(try await allPages { try await ordered.page(after: $0, limit: 2) }.joined().map(\.id) == all)
    }

    @Test func rowsAreChangedAndDeletedByAPath() async throws {
        #expect(try await reminders.where { $0.list.title == "Work" }.updateAll { [$0.position.set(to: 9)] } == 2)
        #expect(try await reminders.where { $0.position == 9 }.orderBy(\.id).fetch().map(\.id) == ids(24, 25))
        #expect(try await reminders.where { $0.assignee.name == "Ada" }.deleteAll() == 2)
        #expect(try await reminders.orderBy(\.id).fetch().map(\.id) == ids(22, 23, 25))
    }

    @Test func aLiveListFollowsAPath() async throws {
        let probe = StreamProbe(reminders.where { $0.list.title == "Work" }.orderBy(\.id).observe())
        #expect(try await probe.next().map(\.id) == ids(24, 25))
        try await store.storage.save(Reminder(id: SomeReminders.id(26), listId: some.work.id, title: "New", links: []))
        #expect(try await probe.next().map(\.id) == ids(24, 25, 26))
    }

    @Test func aMemberHiddenByAnotherIsReachedByItsKeyPath() async throws {
        #expect(try await reminders.where { $0[\.title] == "Milk" }.count() == 1)
        #expect(try await reminders.where { $0.list.title == "Home" }.count() == 3)
    }
}
