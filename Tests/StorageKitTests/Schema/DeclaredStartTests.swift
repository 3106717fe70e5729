import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// What a start makes of declarations, told by the file.
@Suite struct DeclaredStartTests {
    enum First {
        @StorageEntity(table: "reminders", indexes: [["position"]])
        struct Reminder {
            var id: UUID
            var title: String
            var body = ""
            var position: Int
        }
    }

    @StorageEntity(table: "reminders", unique: [["title"]])
    struct Unique {
        var id: UUID
        var title: String
    }

    @StorageEntity
    struct RemindersList: Equatable {
        var id: UUID
        var title: String
    }

    @StorageEntity(indexes: [["listId", "position"], ["dueDate"]], unique: [["listId", "title"]])
    struct Reminder {
        var id: UUID
        @StorageReference(RemindersList.self, onDelete: .cascade) var listId: UUID?
        @StorageUnique(ignoringCase: true) var slug: String?
        @StorageRenamed(from: "body") var notes = ""
        @StorageIgnored var isExpanded = false
        var title: String
        var dueDate: Date?
        var position = 0
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ schema: (inout AppMigrations) -> Void) throws -> TemporaryStore {
        try TemporaryStore(folder: folder, schema: schema)
    }

    private func fresh() throws -> TemporaryStore {
        try store { $0.autoSchema(RemindersListRecord.self, ReminderRecord.self) }
    }

    @Test func aReferenceIsEnforcedAndCascades() async throws {
        let storage = try fresh().storage
        let list = RemindersList(id: UUID(), title: "Home")
        let error = await #expect(throws: StorageError.self) {
            try await storage.save(Reminder(id: UUID(), listId: UUID(), slug: nil, title: "a", dueDate: nil))
        }
        guard case .constraintViolated(let violation) = error else { throw error ?? CancellationError() }
        #expect(violation.kind == .foreignKey && violation.columns == ["listId"])
        try await storage.save(list)
        try await storage.save(Reminder(id: UUID(), listId: list.id, slug: nil, title: "a", dueDate: nil))
        try await storage.delete(list)
        #expect(try await storage.count(Reminder.self) == 0)
    }

    @Test func aUniqueKeyThatIgnoresCaseRefusesASecond() async throws {
        let storage = try fresh().storage
        try await storage.save(Reminder(id: UUID(), listId: nil, slug: "Milk", title: "a", dueDate: nil))
        let error = await #expect(throws: StorageError.self) {
            try await storage.save(Reminder(id: UUID(), listId: nil, slug: "mILK", title: "b", dueDate: nil))
        }
        guard case .constraintViolated(let violation) = error else { throw error ?? CancellationError() }
        #expect(violation.kind == .unique && violation.columns == ["slug"])
    }

    @Test func anEarlierModelsFileGetsAllOfItAndKeepsItsRows() async throws {
        let id = UUID()
        do {
            let old = try store { $0.autoSchema(First.ReminderRecord.self) }
            try await old.storage.save(First.Reminder(id: id, title: "Milk", body: "two litres", position: 3))
            try await old.context.close()
        }
        let context = try fresh().context
        let reminder = try #require(try await context.facade.get(Reminder.self, id: id.uuidString))
        #expect(reminder.notes == "two litres" && reminder.position == 3 && !reminder.isExpanded)
        let (indexes, references) = try await context.storage.dbActor.read { db in
            (
                try String.fetchAll(
                    db, sql: "SELECT name FROM pragma_index_list('reminders') WHERE origin = 'c' ORDER BY 1"),
                try String.fetchAll(db, sql: "SELECT \"table\" FROM pragma_foreign_key_list('reminders')")
            )
        }
        #expect(references == ["reminderslists"])
        // That of the position alone is gone with its declaration; the reference has the one that begins with it.
        #expect(indexes.count == 4, "\(indexes)")
        #expect(!indexes.contains { $0.contains("position") && !$0.contains("listId") }, "\(indexes)")
    }

    @Test func aKeyThatRowsBreakIsNamedAndNothingChanges() async throws {
        do {
            let old = try store { $0.autoSchema(First.ReminderRecord.self) }
            for title in ["Milk", "Milk", "Tea"] {
                try await old.storage.save(First.Reminder(id: UUID(), title: title, position: 0))
            }
            try await old.context.close()
        }
        let error = #expect(throws: StorageError.self) { try store { $0.autoSchema(UniqueRecord.self) } }
        let text = "\(try #require(error))"
        #expect(text.contains("reminders") && text.contains("title") && text.contains("2 row"), "\(text)")
        let again = try store { $0.autoSchema(First.ReminderRecord.self) }
        #expect(try await again.storage.count(First.Reminder.self) == 3)
    }
}
