import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Windows of every query that has an order, and what is read of those that an index serves.
@MainActor @Suite struct WindowOrderTests {
    private let some = SomeReminders()

    @Test func byAPathAWindowHearsOfTheOtherTable() async throws {
        let store = try await some.store()
        let query = store.storage.query(Reminder.self).orderBy({ $0.list.position }).orderBy(\.position)
        let window = LiveWindow(query, pageSize: 2)
        await window.settle()
        #expect(window.items.map(\.title) == ["Report", "Call"])
        var home = some.home
        home.position = 0
        try await store.storage.save(home)
        await window.settle()
        // The window ends where it did, with the list in front of it that comes first now.
        #expect(window.items.map(\.title) == ["Milk", "Bread", "Salt", "Report", "Call"])
        #expect(!window.hasMoreAfter)
    }

    @Test func relationsAreFilledInTheRowsOfAWindow() async throws {
        let store = try await some.store()
        let query = store.storage.query(RemindersList.self).including(\.reminders).orderBy(\.position)
        let window = LiveWindow(query, pageSize: 2)
        await window.settle()
        #expect(window.items.map(\.reminders.count) == [2, 3])
        try await store.storage.delete(Reminder.self, id: some.reminders[3].id)
        await window.settle()
        #expect(window.items.map(\.reminders.count) == [1, 3])
    }

    @Test func aSelectionHasAWindowAndJumpsToAnId() async throws {
        let store = try await some.store()
        let selection = store.storage.query(Reminder.self).orderBy(\.title).select { ($0.title, $0.list.title) }
        let window = LiveWindow(selection, pageSize: 2, maximumPages: 2)
        await window.settle()
        #expect(window.items.map(\.0) == ["Bread", "Call"])
        #expect(await window.jump(to: some.reminders[3].id))
        #expect(window.items.map(\.0) == ["Milk", "Report"])
        #expect(window.items.map(\.1) == ["Home", "Work"])
        #expect(await window.jump(to: some.home.id) == false)
    }

    @Test func joinedRowsHaveAWindow() async throws {
        let store = try await some.store()
        let joined = store.storage.query(Reminder.self)
            .join(RemindersList.self) { reminder, list in reminder.listId == list.id }.orderBy { reminder, _ in
                reminder.title
            }
        let window = LiveWindow(joined, pageSize: 2)
        await window.settle()
        #expect(window.items.map(\.0.title) == ["Bread", "Call"])
        #expect(window.items.map(\.1.title) == ["Home", "Work"])
        try await store.storage.delete(Reminder.self, id: try #require(window.items.first?.0.id))
        await window.settle()
        #expect(window.items.first?.0.title == "Call")
    }

    @Test func relationsInASelectionAreFilledInTheRowsOfAWindow() async throws {
        let store = try await some.store()
        let selection = store.storage.query(RemindersList.self).orderBy(\.position).select { ($0.title, $0.reminders) }
        let window = LiveWindow(selection, pageSize: 2)
        await window.settle()
        #expect(window.items.map(\.1.count) == [2, 3])
        try await store.storage.delete(Reminder.self, id: some.reminders[3].id)
        await window.settle()
        #expect(window.items.map(\.1.count) == [1, 3])
    }

    @Test func groupsHaveAWindowAndAreJumpedToByTheirKeys() async throws {
        let store = try TemporaryStore.ofVolumes()
        try await store.storage.save((0..<60).map { Volume(id: $0, title: "", shelf: $0 % 10) })
        let groups = store.storage.query(Volume.self).group(by: \.shelf).orderBy({ $0.count() }, .descending)
            .select { ($0.shelf, $0.count()) }
        let window = LiveWindow(groups, pageSize: 4, maximumPages: 1)
        await window.settle()
        #expect(window.items.map(\.0) == [9, 8, 7, 6])
        #expect(await window.jump(to: 3))
        #expect(window.items.map(\.0) == [5, 4, 3, 2])
        try await store.storage.save(Volume(id: 100, title: "", shelf: 4))
        await window.settle()
        #expect(window.items.map(\.0) == [5, 3, 2, 1])
        await window.jumpToStart()
        #expect(window.items.map(\.0) == [4, 9, 8, 7])
        #expect(window.items.first?.1 == 7)
    }

    @Test func groupsAreJumpedToByKeysOfAnEnum() async throws {
        let store = try TemporaryStore { $0.autoSchema(TinnedRecord.self) }
        try await store.storage.save(
            (0..<9).map { Tinned(id: $0, food: Tinned.Food.allCases[$0 % 3], year: $0 == 3 ? nil : $0 % 2 + 1) })
        let groups = store.storage.query(Tinned.self).group(by: \.food, \.year).select {
            ($0.food, $0.year, $0.count())
        }
        let window = LiveWindow(groups, pageSize: 2, maximumPages: 1)
        await window.settle()
        #expect(await window.jump(to: Tinned.Food.peas, 1))
        #expect(window.items.contains { $0.0 == .peas && $0.1 == 1 })
        #expect(await window.jump(to: Tinned.Food.peas, 3) == false)
        #expect(await window.jump(to: Tinned.Food.beans, Int?.none))
        #expect(window.items.contains { $0.0 == .beans && $0.1 == nil })
    }

    @Test func hitsOfASearchHaveAWindowByTheirRank() async throws {
        let store = try TemporaryStore {
            $0.autoSchema(TestUserRecord.self)
            $0.addFullTextSearch(table: "testusers", columns: ["name"])
        }
        try await store.storage.save(
            (0..<30).map { TestUser("\($0)", name: "swift " + String(repeating: "and ", count: $0)) })
        let query = store.storage.query(TestUser.self).matching("swift")
        let window = LiveWindow(query, pageSize: 5)
        await window.loadNext()
        #expect(window.items.map(\.id) == (0..<10).map { "\($0)" })
        #expect(await window.jump(to: "20"))
        #expect(window.items.map(\.id) == (18..<23).map { "\($0)" })
    }

    @Test func rowsThatCountOnceHaveAWindow() async throws {
        let store = try TemporaryStore.ofVolumes()
        try await store.storage.save((0..<60).map { Volume(id: $0, title: "", shelf: $0 % 10) })
        let window = LiveWindow(
            store.storage.query(Volume.self).orderBy(\.shelf).select(\.shelf).distinct(), pageSize: 3)
        await window.settle()
        #expect(window.items == [0, 1, 2])
        #expect(await window.jump(to: 7))
        #expect(window.items == [6, 7, 8])
    }

    /// A thousand volumes, half of them without a rank, many with the same.
    @Test(arguments: [0, 1, 2, 3])
    func whereAnIndexServesTheOrderAJumpReadsItsPageAndNothingIsSorted(order: Int) async throws {
        let log = StatementLog()
        let store = try TemporaryStore.ofVolumes(log: log)
        try await store.storage.save(
            (0..<1000).map { Volume(id: $0, title: "", rank: $0 % 2 == 0 ? nil : $0 / 100, shelf: 0) })
        let order = Volume.Order.all[order]
        let window = LiveWindow(order.add(store.storage.query(Volume.self)), pageSize: 20)
        await window.settle()
        for id in [0, 501, 999, 500] {
            let statements = await log.during {
                #expect(await window.jump(to: id))
                await window.loadNext()
                await window.loadPrevious()
            }
            let reads = statements.sql.filter { $0.contains("FROM \"volumes\"") }
            #expect(reads.count <= 12, "\(order.name): \(reads)")
            for sql in Set(reads) {
                let plan = try await store.db.read { db in
                    try GRDB.Row.fetchAll(
                        db, sql: "EXPLAIN QUERY PLAN \(sql)",
                        arguments: StatementArguments(Array(repeating: 1, count: sql.count { $0 == "?" }))
                    ).map { $0["detail"] as String }
                }
                let isServed = plan.allSatisfy { $0.hasPrefix("SEARCH") }
                #expect(isServed, "\(order.name): \(sql): \(plan)")
            }
        }
    }
}

@StorageEntity
private struct Tinned {
    enum Food: String, CaseIterable, Codable { case beans, corn, peas }
    var id: Int
    var food: Food
    var year: Int?
}
