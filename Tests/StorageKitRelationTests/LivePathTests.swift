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
        #expect(try await titles.next().map(\.1) == ["Zoo"])
    }

    @MainActor @Test func aRowThatGetsAnotherIdBeforeTheStreamLooksIsFoundUnderIt() async throws {
        let store = try await some.store()
        let lists = (0..<20).map { RemindersList(id: UUID(), title: "New", position: $0) }
        try await store.storage.save(lists)
        let live = LiveQuery(
            store.storage.query(RemindersList.self).where { $0.title.hasPrefix("New") }.orderBy(\.position)
                .select { ($0.title, $0.reminders.max(\.position)) })
        await live.refresh()
        // A first value waits for the main actor, and what comes meanwhile is looked at together.
        let isDone = store.writingMeanwhile { db in
            let first = lists[0].id.uuidString
            for list in lists.dropFirst() {
                let (id, list) = (UUID().uuidString, list.id.uuidString)
                try db.execute(
                    sql: """
                        UPDATE reminderslists SET title = title || '!' WHERE id = '\(first)';
                        INSERT INTO reminders (id, listId, title, notes, isFlagged, status, position, links, updatedAt)
                            VALUES ('\(id)', '\(list)', '', '', 0, 0, 7, '[]', '2026-01-01 00:00:00.000');
                        UPDATE reminders SET id = '\(UUID().uuidString)' WHERE id = '\(id)';
                        """)
            }
        }
        #expect(isDone)
        try await untilTrue { live.value.dropFirst().allSatisfy { $0.1 == 7 } }
        live.stop()
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

    @Test func aRowBehindALimitDecidesAboutThoseBeforeIt() async throws {
        let store = try await some.store()
        let first = StreamProbe(
            store.storage.query(Reminder.self).where { mine in mine.list.reminders.exists { $0.isFlagged } }
                .orderBy(\.position).orderBy(\.id).limit(2).observe())
        #expect(try await first.next().map(\.title) == ["Milk", "Bread"])
        var call = some.reminders[4]
        call.isFlagged = true
        try await store.storage.save(call)
        #expect(try await first.next().map(\.title) == ["Milk", "Report"])
    }
}

extension TemporaryStore {
    /// Writes on another thread, each statement by itself, while the calling one waits.
    fileprivate func writingMeanwhile(_ write: @escaping @Sendable (Database) throws -> Void) -> Bool {
        let (pool, done) = (context.storage.pool, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? pool.writeWithoutTransaction(write)
            done.signal()
        }
        return done.wait(timeout: .now() + 600) == .success
    }
}
