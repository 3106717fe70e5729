import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// An older version of the app on a file that a newer one has changed.
@Suite struct OlderModelTests {
    private let file: ModelFile
    private let old: TableSchema

    init() throws {
        file = try ModelFile()
        old = TableSchema(name: "notes", columns: [.id, .text("body")], indexes: [IndexSchema(["body"])])
        try file.start(old)
        try file.execute("INSERT INTO notes VALUES ('1', 'x')")
    }

    private func notes(_ columns: ColumnSchema..., former: [String: [String]] = [:]) -> TableSchema {
        TableSchema(name: "notes", columns: [.id] + columns, formerColumnNames: former)
    }

    @Test func itGoesOnAndChangesNothingWhereItsColumnsAreThere() throws {
        try file.start(notes(.text("body"), .text("more", notNull: false)))
        let before = try file.dump()
        #expect(try file.start(old) == [])
        // The note that nothing is due is all that a start may leave.
        let lines = { (dump: DatabaseDump) in
            dump.text.split(separator: "\n").filter { !$0.contains("storage_schema_checked") }
        }
        #expect(try lines(file.dump()) == lines(before))
        #expect(try file.indexes() == [])
    }

    @Test func itTellsAtEachStartWhichOfItsIndexesAndReferencesAreNotThere() throws {
        let child = TableSchema(
            name: "lines", columns: [.id, .text("noteId")],
            references: [ReferenceSchema(column: "noteId", table: "notes")])
        try file.start(old, child)
        try file.start(notes(.text("body")), TableSchema(name: "lines", columns: child.columns))
        let omitted: [MigrationPlan.Operation] = [
            .createIndex(IndexSchema(["body"]), table: "notes"), .addReference(child.references[0], table: "lines"),
            .createIndex(IndexSchema(["noteId"]), table: "lines"),
        ]
        for _ in 1...2 {
            let plan = try ModelFile.schema([old, child]) { _ in }.plan(on: file.queue)
            #expect(plan.omitted == omitted && plan.operations.isEmpty)
            #expect(plan.warnings.contains { $0.contains("does not do again: Create index 'body' of 'notes'") })
            try file.start(old, child)
        }
    }

    @Test func aMigrationOfItsOwnMayNotBreakAReferenceThatANewerVersionHasAdded() throws {
        let lines = TableSchema(name: "lines", columns: [.id, .text("noteId")])
        try file.start(old, lines)
        try file.start(
            old,
            TableSchema(
                name: "lines", columns: lines.columns, references: [ReferenceSchema(column: "noteId", table: "notes")]))
        try file.execute("INSERT INTO lines VALUES ('a', '1')")
        try file.refuse(old, lines) { $0.migration("clear") { try $0.execute(sql: "DELETE FROM notes") } }
    }

    @Test func itTellsAtEachStartWhichOfItsFullTextIndexesAnotherVersionHasOtherwise() throws {
        let search = { (tokenizer: String) in
            { (schema: inout AppMigrations) in
                _ = schema.addFullTextSearch(table: "notes", columns: ["body"], tokenizer: tokenizer)
            }
        }
        try file.start(old, and: search("porter"))
        try file.start(old, and: search("unicode61"))
        for _ in 1...2 {
            let plan = try ModelFile.schema([old], search("porter")).plan(on: file.queue)
            #expect(plan.omitted == [.buildFullTextIndex(table: "notes", columns: ["body"])])
            #expect(plan.operations.isEmpty)
            try file.start(old, and: search("porter"))
        }
        #expect(try ModelFile.schema([old], search("unicode61")).plan(on: file.queue).isEmpty)
    }

    @Test func theNewestOfMoreThanTenVersionsIsNotTakenForAnOlderOne() throws {
        let versions = (1...12).map { count in
            let columns = (1...count).map { ColumnSchema.text("c\($0)", notNull: false) }
            return TableSchema(
                name: "notes", columns: [.id, .text("body")] + columns, indexes: [IndexSchema(["body"])])
        }
        for version in versions { try file.start(version) }
        let indexes = try file.indexes()
        #expect(indexes.count == 1)
        try file.execute("DROP INDEX \(indexes[0])")
        try file.start(versions[11])
        #expect(try file.indexes() == indexes)
    }

    @Test func itMakesNoTableThatANewerVersionHasRenamed() throws {
        try file.start(TableSchema(name: "memos", columns: [.id, .text("body")], formerNames: ["notes"]))
        let error = try file.refuse(old) as? OlderModelError
        #expect(error == OlderModelError(table: "notes", reason: .tableIsGone))
    }

    @Test func itThrowsWhereItsColumnIsGone() throws {
        try file.start(notes(.text("text"), former: ["text": ["body"]]))
        let error = try file.refuse(old)
        #expect(error as? OlderModelError == OlderModelError(table: "notes", reason: .columnIsGone("body")))
        #expect(error?.localizedDescription.contains("update the app") == true)
    }

    @Test func itThrowsWhereItCanOnlyReadAndItsColumnIsGone() throws {
        try file.start(notes(.text("text"), former: ["text": ["body"]]))
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let reader = try GRDB.DatabaseQueue(path: file.queue.path, configuration: configuration)
        #expect {
            try ModelFile.schema([old]).run(on: reader)
        } throws: {
            guard case .migrationFailed(_, let error)? = $0 as? StorageError else { return false }
            return error as? OlderModelError == OlderModelError(table: "notes", reason: .columnIsGone("body"))
        }
    }

    @Test func itGoesOnReadingWhereANewColumnRefusesItsRows() throws {
        try file.execute("DELETE FROM notes")
        try file.start(notes(.text("body"), .text("more")))
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let reader = try GRDB.DatabaseQueue(path: file.queue.path, configuration: configuration)
        try ModelFile.schema([old]).run(on: reader)
    }

    @Test func itThrowsWhereItsColumnHasAnotherType() throws {
        try file.execute("DELETE FROM notes")
        try file.start(notes(ColumnSchema(name: "body", type: "INTEGER", notNull: true)))
        let error = try file.refuse(old) as? OlderModelError
        #expect(error == OlderModelError(table: "notes", reason: .columnHasChanged("body")))
    }

    @Test func itThrowsWhereItsOptionalColumnTakesNoNullAnyMore() throws {
        try file.execute("DELETE FROM notes")
        let optional = notes(.text("body"), .text("more", notNull: false))
        try file.start(optional)
        try file.start(notes(.text("body"), .text("more")))
        let error = try file.refuse(optional) as? OlderModelError
        #expect(error == OlderModelError(table: "notes", reason: .columnHasChanged("more")))
    }

    @Test func itThrowsWhereItsKeyIsNoneAnyMore() throws {
        let key = ColumnSchema(name: "body", type: "TEXT", notNull: true, primaryKey: true)
        try file.start(TableSchema(name: "notes", columns: [.text("id"), key]))
        let error = try file.refuse(old) as? OlderModelError
        #expect(error == OlderModelError(table: "notes", reason: .columnHasChanged("id")))
    }

    @Test func itThrowsWhereItsRowsWouldBeRefused() throws {
        try file.execute("DROP TABLE notes")
        try file.start(notes(.text("body"), .text("more")))
        let error = try file.refuse(old) as? OlderModelError
        #expect(error == OlderModelError(table: "notes", reason: .insertsAreRefused("more")))
    }

    @Test func aKeyOfBytesThatStaysAsItIsDoesNotStopIt() throws {
        try file.execute("DROP TABLE notes; CREATE TABLE notes (id BLOB PRIMARY KEY, body TEXT NOT NULL)")
        let new = notes(.text("body"), .text("more", notNull: false))
        try file.start(new)
        #expect(try file.start(old) == [])
    }

    @Test func theNewerVersionFindsNothingToDoBehindIt() throws {
        let new = notes(.text("body"), .text("more"))
        try file.start(new)
        try file.start(old)
        #expect(try file.start(new) == [])
    }

    @Test func aDroppedColumnIsNotDroppedByAnOlderVersion() throws {
        let next = notes(.text("body"))
        try file.execute("ALTER TABLE notes ADD COLUMN extra TEXT")
        try file.start(next) { $0.drop(column: "extra", ofTable: "notes") }
        try file.start(notes(.text("body"), .text("extra", notNull: false)))
        try ModelFile.schema([next]) { $0.drop(column: "extra", ofTable: "notes") }.run(on: file.queue)
        #expect(try file.values("SELECT name FROM pragma_table_info('notes')") == ["id", "body", "extra"])
    }
}
