import StorageKit
import StorageTestSupport
import Testing

@StorageSelection
private struct Tagged: Equatable, Sendable { let title: String; let tags: [Tag]; let list: RemindersList }

/// To-many relations in selections.
@Suite struct SelectedRelationTests {
    private let some = SomeReminders()
    private let log = StatementLog()
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    private var reminders: Query<Reminder> { storage.query(Reminder.self) }

    init() async throws {
        store = try await some.store(log: log)
    }

    @Test func aToManyGivesItsEntitiesByOneMoreStatement() async throws {
        let selection = reminders.orderBy(\.title).select { ($0.title, $0.tags) }
        let statements = try await log.during {
            let rows: [(String, [Tag])] = try await selection.fetch()
            #expect(rows.map(\.0) == ["Bread", "Call", "Milk", "Report", "Salt"])
            #expect(rows.map { $0.1.map(\.id) } == [["cook"], [], ["cook", "swim"], ["swim"], []])
        }
        #expect(statements.sql.filter { $0.hasPrefix("SELECT") }.count == 2)
    }

    @Test func severalStandInAStructBehindPathsAndColumns() async throws {
        let rows = try await reminders.where { $0.isFlagged }
            .select { Tagged.columns(title: $0.title, tags: $0.tags, list: $0.list) }.fetch()
        #expect(rows == [Tagged(title: "Milk", tags: [some.tags[1], some.tags[0]], list: some.home)])
        let siblings = try await reminders.orderBy(\.title).limit(2)
            .select { ($0.tags, $0.position, $0.list.reminders, $0.tags.count()) }.fetch()
        #expect(siblings.map(\.1) == [2, 5] && siblings.map(\.3) == [1, 0])
        #expect(siblings.map { $0.2.map(\.title) } == [["Milk", "Bread", "Salt"], ["Report", "Call"]])
    }

    @Test func noPageOfThemGoesOnBehindATextThatIsNoUTF8() async throws {
        try await store.db.write {
            try $0.execute(sql: "UPDATE reminders SET title = CAST(x'41FA' AS TEXT) WHERE title = 'Bread'")
        }
        let selection = reminders.orderBy(\.title).select { ($0.title, $0.tags) }
        await #expect(throws: StorageError.self) { try await selection.page(limit: 1) }
        #expect(try await selection.page(limit: 9).items.count == 5)
    }

    @Test func aRelationOfNoRowIsEmpty() async throws {
        let joined = storage.query(RemindersList.self)
            .leftJoin(Reminder.self) { $1.listId == $0.id && $1.isFlagged }.orderBy { list, _ in list.title }
            .select { list, reminder in (list.title, reminder.tags) }
        let rows = try await joined.fetch()
        #expect(rows.map(\.0) == ["Empty", "Home", "Work"] && rows.map(\.1.count) == [0, 2, 0])
    }

    @Test(arguments: [1, 2, 5]) func pagesAndStreamsGiveThemToo(limit: Int) async throws {
        let selection = reminders.orderBy(\.title).select { ($0.title, $0.tags) }
        let counts = try await allPages { try await selection.page(after: $0, limit: limit) }.joined().map(\.1.count)
        #expect(counts == [1, 0, 2, 1, 0])
        var streamed: [Int] = []
        for try await row in selection.stream() { streamed.append(row.1.count) }
        #expect(streamed == counts)
    }

    @Test func aChangeOfTheRelatedIsHeard() async throws {
        let probe = StreamProbe(reminders.where { $0.isFlagged }.select { ($0.title, $0.tags) }.observe())
        #expect(try await probe.next().map(\.1.count) == [2])
        try await storage.save(Tagging(id: SomeReminders.id(77), reminderId: some.reminders[0].id, tagId: "rest"))
        #expect(try await probe.next().map(\.1.count) == [3])
        try await storage.delete(Tag.self, id: "swim")
        #expect(try await probe.next().map(\.1.count) == [2])
    }

    @Test func aTransactionSeesThoseThatItWrote() async throws {
        let tags = reminders.where { $0.isFlagged }.select { $0.tags }
        try await storage.transaction { tx in
            try tx.save(Tagging(id: SomeReminders.id(77), reminderId: some.reminders[0].id, tagId: "rest"))
            #expect(try tags.fetch(in: tx).map { $0.map(\.id) } == [["cook", "rest", "swim"]])
        }
    }
}
