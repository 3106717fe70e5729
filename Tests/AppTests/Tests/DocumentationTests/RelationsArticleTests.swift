import Foundation
import StorageKit
import StorageKitTesting
import Testing

/// The model of the article about relations.
enum Reminding {
    @StorageEntity
    struct RemindersList {
        var id: UUID
        var title: String
        var position = 0
        @StorageHasMany(foreignKey: "listId") var reminders: [Reminder]
    }

    @StorageEntity
    struct Reminder {
        var id: UUID
        @StorageReference(RemindersList.self, onDelete: .cascade) var listId: UUID
        var title: String
        var isFlagged = false
        var dueDate: Date?
        @StorageReference(Person.self, onDelete: .setNull) var assigneeId: UUID?
        @StorageBelongsTo(foreignKey: "listId") var list: RemindersList?
        @StorageHasMany(through: Tagging.self) var tags: [Tag]
    }

    @StorageEntity
    struct Tag {
        var id: String
        @StorageHasMany(through: Tagging.self) var reminders: [Reminder]
    }

    @StorageEntity(unique: [["reminderId", "tagId"]])
    struct Tagging {
        var id: UUID
        @StorageReference(Reminder.self, onDelete: .cascade) var reminderId: UUID
        @StorageReference(Tag.self, onDelete: .cascade) var tagId: String
    }

    @StorageEntity
    struct Person { var id: UUID; var name: String }

    @StorageSelection
    struct ListRow: Equatable { let list: RemindersList; let open: Int; let nextDue: Date? }
}

typealias Reminder = Reminding.Reminder

extension ColumnRef<Reminder> {
    var isUrgent: Column<Bool> { self.isFlagged && self.dueDate != nil }
}

@Suite struct RelationsArticleTests {
    private typealias RemindersList = Reminding.RemindersList
    private typealias Person = Reminding.Person
    private typealias ListRow = Reminding.ListRow
    private typealias Tag = Reminding.Tag
    private typealias Tagging = Reminding.Tagging

    private func store() throws -> TemporaryStore {
        try TemporaryStore {
            $0.autoSchema(
                Reminding.RemindersListRecord.self, Reminding.ReminderRecord.self, Reminding.TagRecord.self,
                Reminding.TaggingRecord.self, Reminding.PersonRecord.self)
        }
    }

    @Test func pathsAndWhatRefersBackDoWhatTheArticleSays() async throws {
        let store = try store()
        let storage = store.storage
        let home = RemindersList(id: UUID(), title: "Home")
        let milk = Reminder(id: UUID(), listId: home.id, title: "Milk", dueDate: store.clock.now)
        let swim = Reminder(id: UUID(), listId: home.id, title: "Swim", isFlagged: true, dueDate: store.clock.now)
        try await storage.save(home)
        try await storage.save([milk, swim])
        try await storage.save(Tag(id: "swim"))
        try await storage.save(Tagging(id: UUID(), reminderId: swim.id, tagId: "swim"))

        let atHome = storage.query(Reminder.self)
            .where { $0.list.title == "Home" && !$0.isFlagged }.orderBy(\.list.position)
        let unassigned = storage.query(Reminder.self).where { $0.assignee.name == nil }
        let taggedAtHome = storage.query(Tagging.self).where { $0.reminder.list.title == "Home" }
        let urgentTaggings = storage.query(Tagging.self).where { $0.reminder.isUrgent }
        #expect(try await atHome.fetch() == [milk])
        #expect(try await unassigned.count() == 2)
        #expect(try await taggedAtHome.count() == 1)
        #expect(try await urgentTaggings.count() == 1)

        let flagged = storage.query(RemindersList.self).where { $0.reminders.exists { $0.isFlagged } }
        let long = storage.query(RemindersList.self).where { $0.reminders.count { !$0.isFlagged } > 3 }
        let byDue = storage.query(RemindersList.self)
            .orderBy({ $0.reminders.max(\.dueDate) }, .descending, nulls: .last)
        let swimming = storage.query(Reminder.self).where { $0.tags.exists { $0.id == "swim" } }
        let notAlone = storage.query(Reminder.self).where { mine in mine.list.reminders.exists { $0.id != mine.id } }
        #expect(try await flagged.fetch() == [home])
        #expect(try await long.fetch() == [])
        #expect(try await byDue.fetch() == [home])
        #expect(try await swimming.fetch() == [swim])
        #expect(try await notAlone.count() == 2)
    }

    @Test func rowsAreJoinedAsTheArticleSays() async throws {
        let store = try store()
        let storage = store.storage
        let home = RemindersList(id: UUID(), title: "Home")
        let (ada, bob) = (Person(id: UUID(), name: "Ada"), Person(id: UUID(), name: "Bob"))
        let call = Reminder(id: UUID(), listId: home.id, title: "Call Ada", isFlagged: true, assigneeId: bob.id)
        try await storage.save(home)
        try await storage.save([ada, bob])
        try await storage.save([call, Reminder(id: UUID(), listId: home.id, title: "Ask Bob")])

        let mentions = storage.query(Reminder.self)
            .join(Person.self) { reminder, person in reminder.title.contains(person.name) }
            .where { reminder, person in reminder.isFlagged }
            .orderBy { reminder, person in person.name }
        let pairs: [(Reminder, Person)] = try await mentions.fetch()
        let names = try await mentions.select { reminder, person in (reminder.title, person.name) }.fetch()
        #expect(pairs.map(\.0) == [call] && pairs.map(\.1) == [ada])
        #expect(names.map(\.1) == ["Ada"])

        let open = storage.query(Person.self)
            .leftJoin(Reminder.self) { person, reminder in reminder.assigneeId == person.id }
            .leftJoin(RemindersList.self) { person, reminder, list in list.id == reminder.listId }
        let numbers = try await open.group { person, reminder, list in person.name }
            .orderBy { person, reminder, list in person.name }
            .select { person, reminder, list in (person.name, reminder.count(), list.max(\.title)) }
            .fetch()  // [(String, Int, String?)]
        #expect(
            numbers.map(\.0) == ["Ada", "Bob"] && numbers.map(\.1) == [0, 1] && numbers.map(\.2) == [nil, "Home"])
    }

    @Test func theRowsOfASelectionAreAskedAgainAsTheArticleSays() async throws {
        let store = try store()
        let storage = store.storage
        let lists = ["Garden", "Bath", "Attic"].map { RemindersList(id: UUID(), title: $0) }
        try await storage.save(lists)
        for (list, count) in zip(lists, [4, 4, 1]) {
            try await storage.save((0..<count).map { Reminder(id: UUID(), listId: list.id, title: "\($0)") })
        }

        let rows = storage.query(RemindersList.self).select {
            ListRow.columns(
                list: $0, open: $0.reminders.count { !$0.isFlagged }, nextDue: $0.reminders.min(\.dueDate))
        }
        let busy: [ListRow] = try await rows.asQuery()
            .where { $0.open > 3 }.orderBy(\.nextDue).orderBy(\.list.title).fetch()
        let howMany = try await rows.asQuery().group(by: \.open).orderBy(\.open)
            .select { ($0.open, $0.count()) }.fetch()
        #expect(busy.map(\.list.title) == ["Bath", "Garden"] && busy.map(\.open) == [4, 4])
        #expect(howMany.map(\.0) == [1, 4] && howMany.map(\.1) == [1, 2])
    }

    @Test func rowsAreTiedByTheirKeysAsTheArticleSays() async throws {
        let store = try store()
        let storage = store.storage
        let home = RemindersList(id: UUID(), title: "Home")
        let milk = Reminder(id: UUID(), listId: home.id, title: "Milk")
        try await storage.save(home)
        try await storage.save(milk)
        try await storage.save(Tag(id: "shop"))
        try await storage.save(Tagging(id: UUID(), reminderId: milk.id, tagId: "shop"))
        #expect(
            try await storage.query(Tag.self).where { $0.reminders.exists { $0.list.title == "Home" } }.count() == 1)
        let overview = storage.query(RemindersList.self).orderBy(\.position)
            .select { ($0.title, $0.reminders.count { !$0.isFlagged }, $0.reminders.min(\.dueDate)) }
        let rows = try await overview.fetch()
        #expect(rows.map(\.0) == ["Home"] && rows.map(\.1) == [1] && rows.map(\.2) == [nil])
    }

    @Test func whatIsIncludedAndWrittenIsWhatTheArticleSays() async throws {
        let log = StatementLog()
        let store = try TemporaryStore(log: log) {
            $0.autoSchema(
                Reminding.RemindersListRecord.self, Reminding.ReminderRecord.self, Reminding.TagRecord.self,
                Reminding.TaggingRecord.self, Reminding.PersonRecord.self)
        }
        let storage = store.storage
        let home = RemindersList(id: UUID(), title: "Home")
        try await storage.save([home, RemindersList(id: UUID(), title: "Empty")])
        let reminders = (1...6).map { Reminder(id: UUID(), listId: home.id, title: "Number \($0)") }
        try await storage.save(reminders)
        try await storage.save(Tag(id: "swim"))
        try await storage.save(Tagging(id: UUID(), reminderId: reminders[1].id, tagId: "swim"))

        let statements = try await log.during {
            let lists = try await storage.query(RemindersList.self)
                .including(\.reminders) { $0.where { !$0.isFlagged }.orderBy(\.title).limit(5) }
                .including(\.reminders.tags)
                .fetch()
            let filled = lists.first { $0.id == home.id }
            #expect(filled?.reminders.map(\.title) == (1...5).map { "Number \($0)" })
            #expect(filled?.reminders[1].tags.map(\.id) == ["swim"])
        }
        #expect(statements.count == 3, "\(statements)")

        let remindersAtHome = storage.query(Reminder.self).where { $0.list.title == "Home" }
        try await remindersAtHome.updateAll { [$0.title.set(to: $0.list.title)] }
        #expect(try await storage.query(Reminder.self).where { $0.title == "Home" }.count() == 6)
        try await storage.query(RemindersList.self).where { $0.reminders.isEmpty }.deleteAll()
        #expect(try await storage.query(RemindersList.self).count() == 1)
    }
}
