import StorageKit
import StorageTestSupport
import Testing

/// What a monitor hears of indexes that would serve.
@Suite struct MissingIndexTests {
    private let events = EventLog(tellsMissingIndexes: true)
    private let store: TemporaryStore

    init() async throws {
        let events = events
        store = try TemporaryStore(options: { $0.monitor = events }, schema: Self.describe)
    }

    private static func describe(_ schema: inout AppMigrations) {
        schema.autoSchema(
            RemindersListRecord.self, ReminderRecord.self, TagRecord.self, TaggingRecord.self, PersonRecord.self)
        schema.addFullTextSearch(table: "reminders", columns: ["title"])
    }

    private var told: [MissingIndex] {
        events.events.compactMap { if case .missingIndex(let index) = $0 { index } else { nil } }
    }

    /// Runs a query that surely lacks an index after what is tested, and waits until the monitor hears of it.
    private func untilAllIsTold() async throws {
        _ = try await store.storage.query(Person.self).where { $0.name == "last" }.fetch()
        try await untilTrue { told.contains { $0.table == "persons" } }
    }

    @Test func aQueryThatReadsAllRowsIsToldWithWhatToDeclare() async throws {
        _ = try await store.storage.query(Reminder.self).where { $0.notes == "secret" }.fetch()
        try await untilTrue { !told.isEmpty }
        let index = try #require(told.first)
        #expect(index.table == "reminders" && index.column == "notes")
        #expect(index.declaration == #"@StorageEntity(indexes: [["notes"]])"#)
        #expect(index.sql.contains(#"WHERE "notes" = ?"#))
        #expect(!index.description.contains("secret"))
        #expect(events.events.contains { $0.isProblem && "\($0)" == index.description })
    }

    @Test func aStoreThatOnlyReadsTellsThemToo() async throws {
        let events = EventLog(tellsMissingIndexes: true)
        let reader = try TemporaryStore(
            folder: store.folder,
            options: {
                $0.monitor = events
                $0.pool.configure = { $0.readonly = true }
            }, schema: Self.describe)
        _ = try await reader.storage.query(Person.self).where { $0.name == "last" }.fetch()
        try await untilTrue { events.events.contains { if case .missingIndex = $0 { true } else { false } } }
    }

    @Test func aStatementIsToldOnce() async throws {
        for title in ["a", "b", "c"] {
            _ = try await store.storage.query(RemindersList.self).where { $0.title == title }.fetch()
        }
        try await untilAllIsTold()
        #expect(told.count { $0.table == "reminderslists" } == 1)
    }

    @Test func whatAnIndexServesIsNotTold() async throws {
        let list = UUID()
        _ = try await store.storage.query(Reminder.self).where { $0.listId == list && $0.title == "x" }.fetch()
        _ = try await store.storage.query(Reminder.self).where { $0.id == list }.fetch()
        _ = try await store.storage.query(RemindersList.self).where { $0.reminders.exists { $0.title == "x" } }.fetch()
        _ = try await store.storage.query(Reminder.self).matching("x").fetch()
        try await untilAllIsTold()
        #expect(told.map(\.table) == ["persons"])
    }

    @Test func whatAPartialIndexMayServeIsNotTold() async throws {
        let events = EventLog(tellsMissingIndexes: true)
        let store = try TemporaryStore(options: { $0.monitor = events }) {
            $0.autoSchema(LoanRecord.self)
            $0.index(LoanRecord.self, on: \.reader) { !$0.isOver }
        }
        let loans = store.storage.query(Loan.self)
        _ = try await loans.where { !$0.isOver && $0.reader == "Ada" && $0.book == "Emma" }.fetch()
        _ = try await loans.where { $0.book == "Emma" }.fetch()
        try await untilTrue { events.events.contains { $0.isProblem } }
        let told = events.events.compactMap { if case .missingIndex(let index) = $0 { index } else { nil } }
        #expect(told.map(\.column) == ["book"] && told.allSatisfy { !$0.sql.contains("reader\" = ?") }, "\(told)")
    }

    @Test func whatAPartialIndexCannotServeIsTold() async throws {
        let events = EventLog(tellsMissingIndexes: true)
        let store = try TemporaryStore(options: { $0.monitor = events }) {
            $0.autoSchema(LoanRecord.self)
            $0.index(LoanRecord.self, on: \.reader) { !$0.isOver }
        }
        _ = try await store.storage.query(Loan.self).where { $0.reader == "Ada" }.fetch()
        _ = try await store.storage.query(Loan.self).where { $0.book == "Emma" }.fetch()
        let told = try await Self.told(events, until: "book")
        #expect(told.map(\.column) == ["reader", "book"], "\(told)")
    }

    @Test func anIndexThatHasTheOtherTableReadIsNotTold() async throws {
        let events = EventLog(tellsMissingIndexes: true)
        let store = try TemporaryStore(options: { $0.monitor = events }) {
            $0.autoSchema(MonitoredVisitRecord.self, MonitoredPlaceRecord.self)
        }
        let visits = store.storage.query(MonitoredVisit.self)
        _ = try await visits.join(MonitoredPlace.self) { $0.number == $1.number }.fetch()
        _ = try await store.storage.query(MonitoredPlace.self).where { $0.name == "Rome" }.fetch()
        let told = try await Self.told(events, until: "name")
        #expect(told.map(\.column) == ["name"], "\(told)")
    }

    @Test func theStatementsOfAStartAreNotTold() async throws {
        let old = try TemporaryStore { $0.autoSchema(OldSchema.NoteRecord.self) }
        try await old.storage.save((1...3).map { OldSchema.Note(id: $0, text: nil, tag: "a") })
        try await old.context.close()
        let events = EventLog(tellsMissingIndexes: true)
        let store = try TemporaryStore(folder: old.folder, options: { $0.monitor = events }) {
            $0.autoSchema(NewSchema.NoteRecord.self)
        }
        let notes = store.storage.query(NewSchema.Note.self)
        #expect(try await notes.where { $0.tag == "a" }.fetch().map(\.text) == ["none", "none", "none"])
        let told = try await Self.told(events, until: "tag")
        #expect(told.map(\.column) == ["tag"], "\(told)")
    }

    /// What was told up to an index that surely is, which is told last.
    private static func told(_ events: EventLog, until column: String) async throws -> [MissingIndex] {
        func told() -> [MissingIndex] {
            events.events.compactMap { if case .missingIndex(let index) = $0 { index } else { nil } }
        }
        try await untilTrue { told().contains { $0.column == column } }
        return told()
    }

    @Test func whatNoIndexServesIsNotTold() async throws {
        let reminders = store.storage.query(Reminder.self)
        _ = try await reminders.fetch()
        _ = try await reminders.where { $0.title.contains("x") }.fetch()
        _ = try await reminders.where { $0.notes != "x" }.fetch()
        _ = try await reminders.orderBy(\.notes).fetch()
        _ = try await reminders.where { !$0.isFlagged }.count()
        _ = try await reminders.max(\.position)
        try await untilAllIsTold()
        #expect(told.map(\.table) == ["persons"], "\(told)")
    }

    @Test func theTableOfAPathIsNamedByItsOwnName() async throws {
        _ = try await store.storage.query(Reminder.self).where { $0.list.title == "Home" }.fetch()
        try await untilTrue { !told.isEmpty }
        #expect(told.map(\.table) == ["reminderslists"] && told.map(\.column) == ["title"])
    }

    @Test func aForeignKeyWithoutAnIndexIsTold() async throws {
        let events = EventLog(tellsMissingIndexes: true)
        let store = try TemporaryStore(options: { $0.monitor = events }) {
            $0.autoSchema(ShelfRecord.self, BookOnShelfRecord.self)
        }
        _ = try await store.storage.query(Shelf.self).where { $0.books.isEmpty }.fetch()
        try await untilTrue { !events.events.isEmpty && events.events.contains { $0.isProblem } }
        let told = events.events.compactMap { if case .missingIndex(let index) = $0 { index } else { nil } }
        #expect(told.map(\.column) == ["shelfId"])
    }

    @Test func aMonitorThatDoesNotAskHearsOfNone() async throws {
        let events = EventLog(slowStatementThreshold: .zero)
        let store = try TemporaryStore(options: { $0.monitor = events }) { $0.autoSchema(PersonRecord.self) }
        _ = try await store.storage.query(Person.self).where { $0.name == "x" }.fetch()
        try await untilTrue { events.events.contains { "\($0)".contains("SCAN persons") } }
        #expect(!events.events.contains { if case .missingIndex = $0 { true } else { false } })
    }
}

@StorageEntity
private struct Shelf {
    var id: Int
    @StorageHasMany(foreignKey: "shelfId") var books: [BookOnShelf]
}

@StorageEntity
private struct BookOnShelf {
    var id: Int
    var shelfId: Int
}

@StorageEntity(table: "monitored_loans")
private struct Loan {
    var id: Int
    var reader: String
    var book: String
    var isOver = false
}

@StorageEntity(table: "monitored_visits")
private struct MonitoredVisit {
    var id: Int
    var number: Int
}

@StorageEntity(table: "monitored_places", indexes: [["number"]])
private struct MonitoredPlace {
    var id: Int
    var number: Int
    var name: String
}

private enum OldSchema {
    @StorageEntity(table: "monitored_notes")
    struct Note {
        var id: Int
        var text: String?
        var tag: String
    }
}

private enum NewSchema {
    @StorageEntity(table: "monitored_notes")
    struct Note {
        var id: Int
        var text: String = "none"
        var tag: String
    }
}
