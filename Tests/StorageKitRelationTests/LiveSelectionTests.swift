import Foundation
import StorageKit
import StorageTestSupport
import Testing

/// What live selections and groups read again after a change.
@Suite struct LiveSelectionTests {
    private let some = SomeReminders()
    private let log = StatementLog()
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    private var reminders: Query<Reminder> { storage.query(Reminder.self) }
    private var lists: Query<RemindersList> { storage.query(RemindersList.self) }

    init() async throws {
        store = try await some.store(log: log)
    }

    /// Makes changes and waits for what a stream gives next.
    ///
    /// - Returns: That, and whether all that is observed was read once more.
    private func next<E, Row>(
        _ probe: StreamProbe<[Row]>, of selection: Selection<E, Row>, _ change: () async throws -> Void
    ) async throws -> (rows: [Row], isReadAnew: Bool) {
        var rows: [Row] = []
        let statements = try await log.during {
            try await change()
            rows = try await probe.next()
        }
        // All that is read begins as the statement does, up to its conditions and its order.
        let sql = try selection.sql.sql
        let from = try #require(sql.range(of: " FROM "))
        let tail = sql[from.lowerBound...]
        return (rows, statements.sql.contains { $0.contains(tail) })
    }

    @Test func aChangedRowIsReadAlone() async throws {
        let selection = reminders.orderBy(\.list.position).orderBy(\.id).select { ($0.title, $0.list.title) }
        let probe = StreamProbe(selection.observe())
        #expect(try await probe.next().map(\.0) == ["Report", "Call", "Milk", "Bread", "Salt"])
        let (rows, isReadAnew) = try await next(probe, of: selection) {
            var salt = some.reminders[2]
            salt.listId = some.work.id
            try await storage.save(salt)
        }
        #expect(rows.map(\.0) == ["Salt", "Report", "Call", "Milk", "Bread"])
        #expect(!isReadAnew)
    }

    @Test func aColumnThatOnlyAQueryInsideComparesConcernsItsRow() async throws {
        // Nothing leads from those people to the reminders, so that changes of people are not traced; those of reminders are.
        let people = storage.query(Person.self)
        let selection = reminders.orderBy(\.id)
            .select { mine in (mine.id, people.where { $0.name < mine.notes }.aggregate { $0.count() }.value) }
        let probe = StreamProbe(selection.observe())
        _ = try await probe.next()
        var milk = some.reminders[0]
        milk.notes = "zzz"
        try await storage.save(milk)
        let count = try await probe.next().first { $0.0 == milk.id }?.1
        let expected = try await selection.fetch().first { $0.0 == milk.id }?.1
        #expect(count == expected)
    }

    @Test func aRowThatComesToAKeyWhichLedNowhereTakesItOutOfTheGroupWithoutOne() async throws {
        let store = try TemporaryStore { $0.autoSchema(ClientRecord.self, BillRecord.self) }
        for id in 1...2 { try await store.storage.save(Bill(id: id, clientId: id, dueAt: SomeReminders.day)) }
        let groups = store.storage.query(Bill.self).group { $0.client.id }.select { ($0.client.id, $0.count()) }
        let probe = StreamProbe(groups.observe())
        #expect(try await probe.next().map(\.1) == [2])
        try await store.storage.save(Client(id: 2, name: "Two"))
        let rows = try await probe.next()
        #expect(rows.map(\.0) == [nil, 2])
        #expect(rows.map(\.1) == [1, 1])
    }

    @Test func aGroupThatALostKeyLedToGoesWithItsLastRow() async throws {
        let store = try TemporaryStore { $0.autoSchema(ClientRecord.self, BillRecord.self) }
        for id in 1...2 {
            try await store.storage.save(Client(id: id, name: "\(id)"))
            try await store.storage.save(Bill(id: id, clientId: id, dueAt: SomeReminders.day))
        }
        let groups = store.storage.query(Bill.self).group { $0.client.name }.select { ($0.client.name, $0.count()) }
        let probe = StreamProbe(groups.observe())
        #expect(try await probe.next().map(\.1) == [1, 1])
        try await store.db.write { db in
            try db.execute(sql: "UPDATE bills SET clientId = 2 WHERE id = 1; UPDATE clients SET id = 9 WHERE id = 1")
        }
        let rows = try await probe.next()
        #expect(rows.map(\.0) == ["2"])
        #expect(rows.map(\.1) == [2])
    }

    @Test func aChangedRowOnThePathConcernsTheRowsThatReferToIt() async throws {
        let selection = reminders.orderBy(\.list.title).orderBy(\.id).select { ($0.title, $0.list.title) }
        let probe = StreamProbe(selection.observe())
        _ = try await probe.next()
        let (rows, isReadAnew) = try await next(probe, of: selection) {
            try await storage.save(RemindersList(id: some.work.id, title: "A", position: 1))
        }
        #expect(rows.map(\.1) == ["A", "A", "Home", "Home", "Home"])
        #expect(!isReadAnew)
    }

    @Test func aCommitThatChangesNoColumnThatIsReadReadsNothing() async throws {
        let selection = reminders.orderBy(\.id).select { ($0.title, $0.list.title) }
        let probe = StreamProbe(selection.observe())
        _ = try await probe.next()
        let statements = try await log.during {
            try await reminders.updateAll { [$0.notes.set(to: "new")] }
            try await lists.updateAll { [$0.color.set(to: 1)] }
            try await storage.save(Reminder(id: SomeReminders.id(29), listId: some.home.id, title: "Last", links: []))
            #expect(try await probe.next().count == 6)
        }
        #expect(statements.reads == 1, "\(statements)")
    }

    @Test func aChildConcernsTheParentThatItHadAndTheOneThatItHas() async throws {
        let selection = lists.orderBy(\.id).select { ($0.title, $0.reminders.count(), $0.reminders.max(\.position)) }
        let probe = StreamProbe(selection.observe())
        #expect(try await probe.next().map(\.1) == [3, 2, 0])
        let (rows, isReadAnew) = try await next(probe, of: selection) {
            var salt = some.reminders[2]
            salt.listId = some.empty.id
            try await storage.save(salt)
        }
        #expect(rows.map(\.1) == [2, 2, 1])
        #expect(rows.map(\.2) == [2, 5, 3])
        #expect(!isReadAnew)
        let (left, _) = try await next(probe, of: selection) {
            try await storage.delete(Reminder.self, id: SomeReminders.id(23))
        }
        #expect(left.map(\.1) == [2, 2, 0])
    }

    @Test func rowsOfALinkConcernTheRowsThatTheyLink() async throws {
        let selection = reminders.orderBy(\.id).select { ($0.title, $0.tags.count { $0.id == "swim" }) }
        let probe = StreamProbe(selection.observe())
        #expect(try await probe.next().map(\.1) == [1, 0, 0, 1, 0])
        let (rows, isReadAnew) = try await next(probe, of: selection) {
            try await storage.delete(Tagging.self, id: SomeReminders.id(31))
        }
        #expect(rows.map(\.1) == [0, 0, 0, 1, 0])
        #expect(!isReadAnew)
        let (none, _) = try await next(probe, of: selection) { try await storage.delete(Tag.self, id: "swim") }
        #expect(none.map(\.1) == [0, 0, 0, 0, 0])
    }

    @Test func aChangedRowConcernsTheGroupThatItWasInAndTheOneThatItIsIn() async throws {
        let selection = reminders.group(by: \.listId).orderBy(\.listId)
            .select { ($0.listId, $0.list.title, $0.count(), $0.sum(\.position)) }
        let probe = StreamProbe(selection.observe())
        #expect(try await probe.next().map(\.2) == [3, 2])
        let (rows, isReadAnew) = try await next(probe, of: selection) {
            var salt = some.reminders[2]
            salt.listId = some.empty.id
            try await storage.save(salt)
        }
        #expect(rows.map(\.1) == ["Home", "Work", "Empty"])
        #expect(rows.map(\.3) == [3, 6, 3])
        #expect(!isReadAnew)
        let (renamed, isRead) = try await next(probe, of: selection) {
            try await storage.save(RemindersList(id: some.work.id, title: "Office", position: 1))
        }
        #expect(renamed.map(\.1) == ["Home", "Office", "Empty"])
        #expect(!isRead)
    }

    @Test func groupsByAPathFollowTheRowsOnIt() async throws {
        let selection = reminders.group(by: \.list.title, \.priority).orderBy(\.list.title).orderBy(\.priority)
            .select { ($0.list.title, $0.priority, $0.count()) }
        let probe = StreamProbe(selection.observe())
        #expect(try await probe.next().map(\.2) == [2, 1, 1, 1])
        let (rows, isReadAnew) = try await next(probe, of: selection) {
            try await storage.save(RemindersList(id: some.work.id, title: "Home", position: 1))
        }
        #expect(rows.map(\.0) == ["Home", "Home", "Home"])
        #expect(rows.map(\.2) == [3, 1, 1])
        #expect(!isReadAnew)
    }

    @Test func ordersByAggregatesOfDatesAreKept() async throws {
        let selection = lists.orderBy({ $0.reminders.max(\.dueDate) }, .descending, nulls: .last).orderBy(\.id)
            .limit(2).select(\.title)
        let probe = StreamProbe(selection.observe())
        #expect(try await probe.next() == ["Home", "Work"])
        let (rows, isReadAnew) = try await next(probe, of: selection) {
            var call = some.reminders[4]
            call.dueDate = SomeReminders.day + 3600
            try await storage.save(call)
        }
        #expect(rows == ["Work", "Home"])
        #expect(!isReadAnew)
    }

    @Test func groupsAreSortedAsTheTextsInAnAggregateAreCompared() async throws {
        let selection = reminders.group(by: \.listId)
            .orderBy { $0.max(of: { $0.title.collated(.caseInsensitive) }) }.select(\.listId)
        let probe = StreamProbe(selection.observe())
        #expect(try await probe.next() == [some.work.id, some.home.id])
        var report = some.reminders[3]
        // By its bytes it stands behind the other list's "Salt".
        report.title = "report"
        try await storage.save(report)
        #expect(try await probe.next() == [some.work.id, some.home.id])
    }

    @Test func aRowThatMoreThanAThousandReferToIsSeenInAllOfThem() async throws {
        let store = try TemporaryStore { $0.autoSchema(ClientRecord.self, BillRecord.self) }
        try await store.storage.save(Client(id: 1, name: "One"))
        try await store.fill(1100) { Bill(id: $0, clientId: 1, dueAt: SomeReminders.day) }
        let probe = StreamProbe(store.storage.query(Bill.self).select { $0.client.name }.observe())
        #expect(try await probe.next().count { $0 == "One" } == 1100)
        try await store.storage.save(Client(id: 1, name: "Two"))
        #expect(try await probe.next().count { $0 == "Two" } == 1100)
    }

    /// A text begins with a `t` where keys are told apart.
    @Test func groupsWhoseKeysRunTogetherAlikeAreTwo() async throws {
        let list = some.empty.id
        let groups = reminders.where { $0.listId == list }.group(by: \.title, \.notes).orderBy(\.title)
            .select { ($0.title, $0.notes) }
        try await storage.save(Reminder(id: UUID(), listId: list, title: "atb", notes: "c", links: []))
        let probe = StreamProbe(groups.observe())
        #expect(try await probe.next().map(\.0) == ["atb"])
        try await storage.save(Reminder(id: UUID(), listId: list, title: "a", notes: "btc", links: []))
        #expect(try await probe.next().map(\.0) == ["a", "atb"])
    }

    @Test func entitiesThatDecideAboutOthersOfTheirTableAreReadAlone() async throws {
        let selection =
            reminders
            .where { mine in mine.list.reminders.exists { $0.position > mine.position } }.orderBy(\.id)
            .select(\.title)
        let probe = StreamProbe(selection.observe())
        #expect(try await probe.next() == ["Milk", "Bread", "Report"])
        let (rows, isReadAnew) = try await next(probe, of: selection) {
            var milk = some.reminders[0]
            milk.position = 9
            try await storage.save(milk)
        }
        #expect(rows == ["Bread", "Salt", "Report"])
        #expect(!isReadAnew)
    }

    @Test func keysThatAreCalculatedAreReadAnew() async throws {
        let selection = reminders.group { ($0.position / 2) }.select { ($0.position / 2, $0.count()) }
        let probe = StreamProbe(selection.observe())
        _ = try await probe.next()
        let (_, isReadAnew) = try await next(probe, of: selection) {
            try await storage.delete(Reminder.self, id: SomeReminders.id(21))
        }
        #expect(isReadAnew)
    }

    @Test func aGroupEndsWithTheParentOfItsRowsWhereNoKeysAreEnforced() async throws {
        let store = try TemporaryStore(options: {
            $0.pool = PoolOptions(
                preset: .init(pragmas: ["PRAGMA journal_mode = WAL"]), configure: { $0.foreignKeysEnabled = false })
        }) {
            $0.autoSchema(RemindersListRecord.self, ReminderRecord.self, PersonRecord.self)
        }
        try await store.storage.save([some.home, some.work])
        try await store.storage.save(some.reminders)
        let groups = store.storage.query(Reminder.self).group { ($0.list.title, $0.isFlagged) }
            .orderBy(\.list.title).orderBy(\.isFlagged).select { ($0.list.title, $0.count()) }
        let probe = StreamProbe(groups.observe())
        #expect(Set(try await probe.next().map(\.0)) == ["Home", "Work"])
        try await store.storage.delete(some.work)
        #expect(Set(try await probe.next().map(\.0)) == ["Home"])
    }
}
