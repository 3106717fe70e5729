import Foundation
import StorageKit
import StorageTestSupport
import Testing

// The model of the documentation of relations.

@StorageEntity
struct RemindersList {
    var id: UUID
    var title: String
    var color = 0x4a99ef
    var position = 0
    @StorageHasMany(foreignKey: "listId") var reminders: [Reminder]
}

@StorageEntity(indexes: [["listId", "position"]])
struct Reminder {
    enum Priority: Int, Codable, Sendable { case low = 1, medium, high }
    enum Status: Int, Codable, Sendable { case incomplete, completed, completing }

    var id: UUID
    @StorageReference(RemindersList.self, onDelete: .cascade) var listId: UUID
    var title: String
    var notes = ""
    var dueDate: Date?
    var isFlagged = false
    var priority: Priority?
    var status = Status.incomplete
    var position = 0
    @StorageReference(Person.self, onDelete: .setNull) var assigneeId: UUID?
    @StorageJSON var links: [URL]
    @StorageJSON var place: Place?
    @StorageBelongsTo(foreignKey: "listId") var list: RemindersList?
    @StorageBelongsTo(foreignKey: "assigneeId") var assignee: Person?
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
    @StorageReference(Tag.self, onDelete: .cascade, onUpdate: .cascade) var tagId: String
}

@StorageEntity
struct Person { var id: UUID; var name: String }

struct Place: Codable, Sendable, Equatable { var city: String; var latitude: Double }

extension TemporaryStore {
    /// A store with the tables of the model.
    static func ofReminders(log: StatementLog? = nil) throws -> TemporaryStore {
        try TemporaryStore(log: log) {
            $0.autoSchema(
                RemindersListRecord.self, ReminderRecord.self, TagRecord.self, TaggingRecord.self, PersonRecord.self)
        }
    }
}

/// A few reminders, in two lists and an empty one.
struct SomeReminders {
    let home = RemindersList(id: id(1), title: "Home", position: 2)
    let work = RemindersList(id: id(2), title: "Work", position: 1)
    let empty = RemindersList(id: id(3), title: "Empty", position: 3)
    let ada = Person(id: id(11), name: "Ada")
    let bob = Person(id: id(12), name: "Bob")
    let tags = [Tag(id: "swim"), Tag(id: "cook"), Tag(id: "rest")]
    let reminders: [Reminder]
    let taggings: [Tagging]

    static let day = Date(timeIntervalSince1970: 1_790_000_000)

    /// The same id for the same number.
    static func id(_ number: Int) -> UUID {
        UUID(
            uuidString: "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
        )
            ?? UUID()
    }

    init() {
        let day = Self.day
        reminders = [
            Reminder(
                id: Self.id(21), listId: home.id, title: "Milk", dueDate: day, isFlagged: true, position: 1,
                assigneeId: ada.id, links: []),
            Reminder(
                id: Self.id(22), listId: home.id, title: "Bread", notes: "for Ada", dueDate: day + 60,
                status: .completed, position: 2, assigneeId: bob.id, links: []),
            Reminder(id: Self.id(23), listId: home.id, title: "Salt", priority: .high, position: 3, links: []),
            Reminder(
                id: Self.id(24), listId: work.id, title: "Report", dueDate: day, priority: .low, position: 1,
                assigneeId: ada.id, links: []),
            Reminder(id: Self.id(25), listId: work.id, title: "Call", status: .completed, position: 5, links: []),
        ]
        taggings = [(21, "swim"), (21, "cook"), (22, "cook"), (24, "swim")].enumerated().map { number, link in
            Tagging(id: Self.id(31 + number), reminderId: Self.id(link.0), tagId: link.1)
        }
    }

    /// A store that has them.
    func store(log: StatementLog? = nil) async throws -> TemporaryStore {
        let store = try TemporaryStore.ofReminders(log: log)
        try await store.storage.save([home, work, empty])
        try await store.storage.save([ada, bob])
        try await store.storage.save(reminders)
        try await store.storage.save(tags)
        try await store.storage.save(taggings)
        return store
    }
}

/// Checks what stands behind the columns in a query's SQL, and the rows that it finds, in order.
func expectQuery<E: RegisteredEntity>(
    _ query: Query<E>, _ sql: String, ids: [E.Id], at location: SourceLocation = #_sourceLocation
) async throws {
    let text = try query.sql.sql
    let tail = text.range(of: " FROM ").map { String(text[$0.upperBound...]) }
    #expect(tail == sql, sourceLocation: location)
    #expect(try await query.fetch().map(\.id) == ids, sourceLocation: location)
}
