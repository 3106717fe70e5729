import StorageKit
import StorageTestSupport
import Testing

@Suite struct SearchedPathTests {
    private let some = SomeReminders()

    @Test func aSearchIsNarrowedAndSortedByPaths() async throws {
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
        let found = store.storage.query(Reminder.self).matching("weekly").where { $0.list.title == "Home" }
        #expect(
            try await found.orderBy(\.assignee.name, nulls: .last).fetch().map(\.title) == ["Milk", "Bread", "Salt"])
        #expect(try await found.where { $0.assignee.name == "Bob" }.hits().map(\.entity.title) == ["Bread"])
        #expect(try await found.where { mine in mine.list.reminders.count() == 3 }.count() == 3)
        #expect(try await found.deleteAll() == 3)
    }
}
