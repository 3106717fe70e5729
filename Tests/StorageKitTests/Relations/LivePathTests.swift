import Foundation
import StorageKit
import StorageTestSupport
import Testing

@Suite struct LivePathTests {
    private let some = SomeReminders()

    @Test func aStreamHearsOfTheTablesThatPathsLeadTo() async throws {
        let store = try await some.store()
        let home = StreamProbe(
            store.storage.query(Reminder.self).where { $0.list.title == "Home" }.orderBy(\.position).observe())
        #expect(try await home.next().map(\.title) == ["Milk", "Bread", "Salt"])
        var work = some.work
        work.title = "Home"
        try await store.storage.save(work)
        #expect(try await home.next().count == 5)
    }

    @Test func aStreamHearsOfTheRowsOfToManyRelationsAndTheirLinks() async throws {
        let store = try await some.store()
        let swims = StreamProbe(
            store.storage.query(Reminder.self).where { $0.tags.exists { $0.id == "swim" } }.orderBy(\.id).observe())
        #expect(try await swims.next().map(\.title) == ["Milk", "Report"])
        try await store.storage.save(Tagging(id: UUID(), reminderId: SomeReminders.id(23), tagId: "swim"))
        #expect(try await swims.next().map(\.title) == ["Milk", "Salt", "Report"])
        try await store.storage.delete(Tag.self, id: "swim")
        #expect(try await swims.next().isEmpty)
    }

    @Test func aQueryInsideHearsOfColumnsThatNothingElseReads() async throws {
        let store = try await some.store()
        let lists = store.storage.query(RemindersList.self)
        let titles = StreamProbe(
            store.storage.query(Reminder.self).orderBy(\.id).limit(1).select { mine in
                (mine.list.position, lists.where { $0.color != mine.position }.aggregate { $0.max(\.title) }.value)
            }.observe())
        #expect(try await titles.next().map(\.1) == ["Work"])
        try await lists.where { $0.title == "Empty" }.updateAll { [$0.title.set(to: "Zoo")] }
        #expect(try await titles.next(within: .seconds(60)).map(\.1) == ["Zoo"])
    }

    @Test func aCountHearsOfThemToo() async throws {
        let store = try await some.store()
        let count = StreamProbe(
            store.storage.query(RemindersList.self).where { !$0.reminders.isEmpty }.observeCount())
        #expect(try await count.next() == 2)
        try await store.storage.save(Reminder(id: UUID(), listId: some.empty.id, title: "New", links: []))
        #expect(try await count.next() == 3)
    }

    @Test func aCommitThatTouchesNoneOfItsTablesRunsNothing() async throws {
        let log = StatementLog()
        let store = try await some.store(log: log)
        let home = StreamProbe(
            store.storage.query(Reminder.self).where { $0.list.title == "Home" }.orderBy(\.position).observe())
        _ = try await home.next()
        let statements = try await log.during {
            try await store.storage.save(Tag(id: "new"))
            // Once it is heard of, what came before was too.
            try await store.storage.save(RemindersList(id: some.work.id, title: "Home", position: 1))
            _ = try await home.next()
        }
        // The rows that refer to the list, and then those of them that the query finds.
        #expect(statements.reads == 2, "\(statements)")
    }

    @Test func aChangedRowOfItsOwnIsReadAlone() async throws {
        let log = StatementLog()
        let store = try await some.store(log: log)
        let home = StreamProbe(
            store.storage.query(Reminder.self).where { $0.list.title != "Empty" }.orderBy(\.list.position)
                .orderBy(\.position).observe())
        #expect(try await home.next().map(\.title) == ["Report", "Call", "Milk", "Bread", "Salt"])
        let statements = try await log.during {
            var salt = some.reminders[2]
            salt.listId = some.work.id
            try await store.storage.save(salt)
            #expect(try await home.next().map(\.title) == ["Report", "Salt", "Call", "Milk", "Bread"])
        }
        #expect(statements.sql.contains { $0.contains("\"reminders\".\"id\" IS ?") }, "\(statements)")
    }

    @Test func aRowThatWasReadAloneStandsWhereItsPathLeads() async throws {
        let store = try await some.store()
        let lists = StreamProbe(store.storage.query(Reminder.self).orderBy(\.list.position).orderBy(\.id).observe())
        _ = try await lists.next()
        for list in [some.work, some.home, some.work] {
            var salt = some.reminders[2]
            salt.listId = list.id
            try await store.storage.save(salt)
            let found = try await store.storage.query(Reminder.self).orderBy(\.list.position).orderBy(\.id).fetch()
            #expect(
                try await lists.first { $0.first { $0.id == salt.id }?.listId == list.id }.map(\.id) == found.map(\.id))
        }
    }

    @Test func rowsThatDecideAboutOthersOfTheirTableAreAllReadAgain() async throws {
        let store = try await some.store()
        let others = StreamProbe(
            store.storage.query(Reminder.self)
                .where { mine in mine.list.reminders.exists { $0.id != mine.id && $0.dueDate == mine.dueDate } }
                .orderBy(\.id).observe())
        #expect(try await others.next().isEmpty)
        var bread = some.reminders[1]
        bread.dueDate = SomeReminders.day
        try await store.storage.save(bread)
        #expect(try await others.next().map(\.title) == ["Milk", "Bread"])
    }
}
