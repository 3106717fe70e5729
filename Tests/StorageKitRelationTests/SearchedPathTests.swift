import StorageKit
import StorageTestSupport
import Testing

@Suite struct SearchedPathTests {
    private let some = SomeReminders()

    @Test func aSearchIsNarrowedAndSortedByPaths() async throws {
        let store = try await store()
        let found = store.storage.query(Reminder.self).matching("weekly").where { $0.list.title == "Home" }
        #expect(
            try await found.orderBy(\.assignee.name, nulls: .last).fetch().map(\.title) == ["Milk", "Bread", "Salt"])
        #expect(try await found.where { $0.assignee.name == "Bob" }.hits().map(\.entity.title) == ["Bread"])
        #expect(try await found.where { mine in mine.list.reminders.count() == 3 }.count() == 3)
        #expect(try await found.deleteAll() == 3)
    }

    @Test func hitsHaveTheRelationsThatAreIncluded() async throws {
        let store = try await store()
        let found = store.storage.query(Reminder.self).matching("weekly").orderBy(\.title).including(\.list)
        let hits = try await found.hits(.highlight(column: 1, open: "[", close: "]"))
        #expect(hits.map(\.entity.list?.title) == ["Home", "Work", "Home", "Work", "Home"])
        #expect(hits.allSatisfy { $0.snippet == "[weekly]" })
        try await store.storage.transaction { tx in
            let first = try found.limit(1).hits(in: tx)
            #expect(first.map(\.entity.list) == [some.home])
        }
    }

    @Test func aSearchAndValuesOfOtherRowsStandBeforeOneUpdate() async throws {
        let store = try await store()
        let found = store.storage.query(Reminder.self).matching("weekly").where { $0.position < 3 }
        #expect(try await found.updateAll { [$0.title.set(to: $0.list.title)] } == 3)
        let titles = try await store.storage.query(Reminder.self).orderBy(\.id).select(\.title).fetch()
        #expect(titles == ["Home", "Home", "Salt", "Work", "Call"])
    }

    private func store() async throws -> TemporaryStore {
        let store = try TemporaryStore {
            $0.autoSchema(RemindersListRecord.self, ReminderRecord.self, PersonRecord.self)
            $0.addFullTextSearch(table: "reminders", columns: ["title", "notes"])
        }
        try await store.storage.save([some.home, some.work])
        try await store.storage.save([some.ada, some.bob])
        try await store.storage.save(
            some.reminders.map { reminder in
                var reminder = reminder
                reminder.notes = "weekly"
                return reminder
            })
        return store
    }
}
