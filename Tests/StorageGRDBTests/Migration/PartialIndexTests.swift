import StorageKit
import Testing

@testable import StorageGRDB

/// Indexes with a condition, declared beside the records.
@Suite struct PartialIndexTests {
    private let file: ModelFile

    init() throws { file = try ModelFile() }

    @StorageEntity(table: "tasks")
    struct Task {
        var id: String
        var title: String
        var status: Status
        var dueDate: Date?
        var price: Decimal
        enum Status: String, Codable, Sendable { case incomplete, done }
    }

    @discardableResult
    private func start(_ describe: (inout AppMigrations) -> Void) throws -> [String] {
        var schema = AppMigrations()
        schema.autoSchema(TaskRecord.self)
        describe(&schema)
        let plan = try schema.plan(on: file.queue)
        try schema.run(on: file.queue)
        #expect(try schema.plan(on: file.queue).isEmpty)
        return plan.operations.map(\.description)
    }

    @Test func theConditionIsPrintedWithItsValues() throws {
        try start { $0.index(TaskRecord.self, on: \.dueDate) { $0.status == .incomplete } }
        let name = try #require(try file.indexes().first)
        #expect(name.hasPrefix("idx_tasks_dueDate_"))
        #expect(try file.sql(name) == #"CREATE INDEX "\#(name)" ON "tasks" ("dueDate") WHERE "status" = 'incomplete'"#)
    }

    @Test func severalColumnsMayBeUniqueAmongTheRows() throws {
        try start {
            $0.index(TaskRecord.self, on: \.title, \.dueDate, unique: true) {
                $0.status != .done && $0.title != "it's ?"
            }
        }
        let name = try #require(try file.indexes().first)
        #expect(
            try file.sql(name)?.hasSuffix(
                #"("title", "dueDate") WHERE ("status" <> 'done') AND ("title" <> 'it''s ?')"#) == true)
    }

    @Test func aLongListStandsInItValueByValue() throws {
        let titles = (0..<9).map { "\($0)" }
        try start { $0.index(TaskRecord.self, on: \.dueDate) { $0.title.in(titles) } }
        let name = try #require(try file.indexes().first)
        let list = titles.map { "'\($0)'" }.joined(separator: ", ")
        #expect(try file.sql(name)?.hasSuffix(#"WHERE "title" IN (\#(list))"#) == true)
    }

    /// Those of a set come in another order in each process.
    @Test func aListIsTheSameInWhateverOrderItsValuesCome() throws {
        try start { $0.index(TaskRecord.self, on: \.dueDate) { $0.title.in(["b", "a", "c"]) } }
        let indexes = try file.indexes()
        #expect(try start { $0.index(TaskRecord.self, on: \.dueDate) { $0.title.in(["c", "b", "a"]) } } == [])
        #expect(try file.indexes() == indexes)
    }

    @Test func withoutAConditionAllRowsAreInIt() throws {
        try start {
            $0.index(TaskRecord.self, on: \.dueDate)
            $0.index(TaskRecord.self, on: \.title, \.dueDate, unique: true)
        }
        #expect(try file.indexes() == ["idx_tasks_dueDate", "unique_tasks_title_dueDate"])
        #expect(
            try file.sql("idx_tasks_dueDate") == #"CREATE INDEX "idx_tasks_dueDate" ON "tasks" ("dueDate")"#)
    }

    @Test func anotherConditionIsAnotherIndexAndNoneDropsIt() throws {
        try start { $0.index(TaskRecord.self, on: \.dueDate) { $0.status == .incomplete } }
        try start { $0.index(TaskRecord.self, on: \.dueDate) { $0.status == .done } }
        #expect(try file.indexes().count == 1)
        #expect(try file.values("SELECT sql FROM sqlite_master WHERE sql LIKE '%''done''%'").count == 1)
        try start { _ in }
        #expect(try file.indexes() == [])
    }

    @Test func onlyRowsThatItIsOfBreakAUniqueOne() throws {
        try start { _ in }
        for (id, status) in [("1", "done"), ("2", "done"), ("3", "done"), ("4", "incomplete"), ("5", "incomplete")] {
            try file.execute(
                "INSERT INTO tasks (id, title, status, price, updatedAt) VALUES ('\(id)', 'a', '\(status)', '1', '')")
        }
        let error = #expect(throws: StorageError.self) {
            try start { $0.index(TaskRecord.self, on: \.title, unique: true) { $0.status == .incomplete } }
        }
        guard case .migrationFailed(_, let cause as SchemaConflictError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(cause.reason == .duplicates(rows: 2))
    }

    @Test func aColumnCalledWhereIsNotTakenForTheBeginningOfTheCondition() throws {
        let index = IndexSchema(["where"], condition: #""where" <> ''"#)
        // A second start would find another condition, and make it anew.
        try file.start(TableSchema(name: "notes", columns: [.id, .text("where")], indexes: [index]))
        #expect(try file.indexes().count == 1)
    }

    @Test func aColumnThatOnlyTheConditionNamesCanBeDropped() throws {
        let without = TableSchema(name: "notes", columns: [.id, .text("title")])
        let with = TableSchema(
            name: "notes", columns: [.id, .text("title"), .text("status")],
            indexes: [IndexSchema(["title"], condition: #""status" = 'open'"#)])
        try file.start(with)
        #expect(try file.indexes().count == 1)
        try file.start(without) { $0.drop(column: "status", ofTable: "notes") }
        #expect(try file.indexes() == [])
    }

    @Test func aConditionThatIsMoreThanComparisonsIsRefused() throws {
        for condition in [{ $0.title.contains("x") }, { $0.price > 3 }] as [(ColumnRef<Task>) -> Predicate] {
            let error = #expect(throws: StorageError.self) {
                try start { $0.index(TaskRecord.self, on: \.dueDate, where: condition) }
            }
            guard case .invalidConfiguration = error else {
                Issue.record("unexpected: \(String(describing: error))")
                continue
            }
        }
    }

    @StorageEntity(table: "parts")
    struct Part {
        var id: String
        var title: String
        @StorageReference(Part.self) var wholeId: String?
    }

    @Test func aColumnOfAnotherTableIsRefused() throws {
        var schema = AppMigrations()
        schema.autoSchema(PartRecord.self)
        schema.index(PartRecord.self, on: \.whole.title) { $0.title != "" }
        let declared = schema
        let error = #expect(throws: StorageError.self) { try declared.run(on: file.queue) }
        guard case .invalidConfiguration(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(message.contains("'title' at the end of a path"), "\(message)")
    }

    @Test func anIndexOfARecordThatIsNotInTheSchemaIsRefused() throws {
        var schema = AppMigrations()
        schema.index(TaskRecord.self, on: \.dueDate) { $0.status == .incomplete }
        let declared = schema
        let error = #expect(throws: StorageError.self) { try declared.run(on: file.queue) }
        #expect(error?.localizedDescription.contains("'tasks'") == true)
    }
}
