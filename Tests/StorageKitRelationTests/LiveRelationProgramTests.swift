import Foundation
import StorageKit
import StorageTestSupport
import Testing

/// Random commits over related tables, and streams of every form that is followed row by row: after each commit each stream comes
/// to what its query finds.
@Suite(.timeLimit(.minutes(60))) struct LiveRelationProgramTests {
    @Test func streamsOfPathsSelectionsAndGroupsComeToWhatTheirQueriesFind() async throws {
        var random = SeededGenerator()
        let seed = random.seed
        let store = try await SomeReminders().store()
        var forms = Form.all(store.storage)
        for step in 0..<programCount(short: 80, quick: 300, full: 10_000) {
            let done = try await Self.commit(store, &random)
            for place in forms.indices {
                if let problem = try await forms[place].settle() {
                    Issue.record("STORAGEKIT_SEED=\(seed), step \(step), \(done): \(problem)")
                    return
                }
            }
        }
    }

    // MARK: - Commits

    private static func commit(_ store: TemporaryStore, _ random: inout SeededGenerator) async throws -> String {
        let storage = store.storage
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        func title() -> String { ["a", "b", "B", "ß"][number(0...3)] }
        let (list, reminder) = (SomeReminders.id(number(1...4)), SomeReminders.id(number(21...30)))
        switch number(0...15) {
        case 0...4:
            guard
                let listId = try await storage.query(RemindersList.self).orderBy(\.id).fetch().randomElement(
                    using: &random)?.id
            else { return "nothing" }
            let person = try await storage.query(Person.self).orderBy(\.id).fetch().randomElement(using: &random)
            let saved = Reminder(
                id: reminder, listId: listId, title: title(),
                dueDate: number(0...2) == 0 ? nil : SomeReminders.day + Double(number(0...3)),
                isFlagged: number(0...1) == 0, priority: .init(rawValue: number(0...3)), position: number(0...3),
                assigneeId: number(0...1) == 0 ? nil : person?.id, links: [])
            try await storage.save(saved)
            return "saved \(saved)"
        case 5:
            try await storage.delete(Reminder.self, id: reminder)
            return "deleted reminder \(reminder)"
        case 6, 7:
            try await storage.save(RemindersList(id: list, title: title(), position: number(0...2)))
            return "saved list \(list)"
        case 8:
            try await storage.delete(RemindersList.self, id: list)
            return "deleted list \(list)"
        case 9:
            try await storage.save(Person(id: SomeReminders.id(number(11...13)), name: title()))
            return "saved person"
        case 10:
            try await storage.delete(Person.self, id: SomeReminders.id(number(11...13)))
            return "deleted person"
        case 11, 12:
            let (tag, id) = (["swim", "cook", "rest"][number(0...2)], SomeReminders.id(number(31...40)))
            try await store.db.write { db in
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO tags (id, updatedAt) VALUES (?, '2026-01-01');
                        INSERT OR REPLACE INTO taggings (id, reminderId, tagId, updatedAt)
                        SELECT ?, id, ?, '2026-01-01' FROM reminders WHERE id = ?
                        """, arguments: [tag, id.uuidString, tag, reminder.uuidString])
            }
            return "tagged \(reminder) as \(tag)"
        case 13:
            try await storage.delete(Tag.self, id: ["swim", "cook", "rest"][number(0...2)])
            return "deleted a tag"
        case 14:
            // Several tables in one commit, with rows that go from one parent to another and their parents with them.
            let position = number(0...3)
            let (name, other) = (title(), SomeReminders.id(number(1...4)).uuidString)
            try await store.db.write { db in
                try db.execute(
                    sql: """
                        UPDATE reminders SET listId = ?, position = position + 1
                        WHERE position = ? AND EXISTS (SELECT 1 FROM reminderslists WHERE id = ?);
                        UPDATE reminderslists SET title = ? WHERE id = ?;
                        DELETE FROM reminderslists WHERE id = ?
                        """,
                    arguments: [list.uuidString, position, list.uuidString, name, list.uuidString, other])
            }
            return "moved to \(list), deleted \(other)"
        default:
            let position = number(0...3)
            try await storage.query(Reminder.self).where { $0.list.position == position }
                .updateAll { [$0.isFlagged.set(to: true), $0.position.set(to: $0.position + 1)] }
            return "updated where the list is at \(position)"
        }
    }
}

/// A live query and what it finds.
private struct Form {
    private let name: String
    private let probe: StreamProbe<[String]>
    private let fetch: () async throws -> [String]
    private var last: [String] = []

    static func all(_ storage: Storage) -> [Form] {
        let reminders = storage.query(Reminder.self)
        let lists = storage.query(RemindersList.self)
        return [
            Form(
                "path",
                reminders.where { $0.list.title != "a" }.orderBy(\.list.position, .descending).orderBy(\.id)
                    .select { ($0.title, $0.list.title, $0.assignee.name, $0.position + 1) }),
            Form(
                "limited",
                reminders.orderBy(\.assignee.name, .descending, nulls: .first).orderBy(\.position)
                    .orderBy(\.id).limit(4).offset(1).select { ($0.id, $0.assignee.name) }),
            Form("entities", reminders.orderBy(\.title).orderBy(\.id).select { ($0.list, $0.assignee, $0.title) }),
            Form(
                "children",
                lists.orderBy({ $0.reminders.max(\.dueDate) }, .descending, nulls: .last).orderBy(\.id).limit(3)
                    .select { ($0.title, $0.reminders.count { $0.isFlagged }, $0.reminders.sum(\.position)) }),
            Form(
                "linked",
                reminders.where { $0.tags.exists { $0.id != "rest" } }.orderBy(\.id)
                    .select { ($0.id, $0.tags.count(), $0.tags.min(\.id)) }),
            Form(
                "link and path",
                storage.query(Tag.self).orderBy(\.id).select { ($0.id, $0.reminders.count { $0.list.title == "a" }) }),
            Form(
                "two steps",
                storage.query(Tagging.self).where { $0.reminder.list.position < 2 }.orderBy(\.reminder.list.title)
                    .orderBy(\.id).select { ($0.tagId, $0.reminder.list.title, $0.reminder.assignee.name) }),
            Form(
                "siblings",
                reminders.where { mine in mine.list.reminders.exists { $0.position > mine.position } }.orderBy(\.id)
                    .select { ($0.id, $0.list.reminders.count()) }),
            Form(
                "groups",
                reminders.where { !$0.isFlagged }.group(by: \.listId).orderBy({ $0.count() }, .descending)
                    .orderBy(\.listId).select { ($0.listId, $0.list.title, $0.count(), $0.max(\.dueDate)) }),
            Form(
                "groups by path",
                reminders.group(by: \.list.title, \.priority).having { $0.count() > 1 }.orderBy(\.list.title)
                    .orderBy(\.priority).select { ($0.list.title, $0.priority, $0.count(), $0.sum(\.position)) }),
            Form(
                "groups by what may be nil",
                reminders.group(by: \.assignee.name).orderBy(\.assignee.name).limit(2)
                    .select { ($0.assignee.name, $0.count(), $0.count(distinct: \.listId)) }),
            Form(
                "groups by two steps",
                storage.query(Tagging.self).group(by: \.reminder.list.title, \.reminder.assigneeId)
                    .orderBy(\.reminder.list.title).orderBy(\.reminder.assigneeId)
                    .select { ($0.reminder.list.title, $0.reminder.assigneeId, $0.count()) }),
            Form("entity list", reminders.where { $0.list.title == "a" || $0.tags.isEmpty }.orderBy(\.id)),
        ]
    }

    private init<E, Row>(_ name: String, _ selection: Selection<E, Row>) {
        self.name = name
        probe = StreamProbe(
            selection.observe(bufferingPolicy: .unbounded).map { rows in rows.map { String(describing: $0) } })
        fetch = { try await selection.fetch().map { String(describing: $0) } }
    }

    private init<E>(_ name: String, _ query: Query<E>) {
        self.name = name
        probe = StreamProbe(
            query.observe(bufferingPolicy: .unbounded).map { rows in rows.map { String(describing: $0) } })
        fetch = { try await query.fetch().map { String(describing: $0) } }
    }

    /// Reads on until the stream's value is what the query finds.
    ///
    /// - Returns: What is wrong, or nil.
    mutating func settle() async throws -> String? {
        let expected = try await fetch()
        if let newest = probe.takeAll().last { last = newest }
        while last != expected {
            do {
                last = try await probe.next()
            } catch {
                return "\(name): the last value is \(last) and not \(expected)"
            }
        }
        return nil
    }
}
