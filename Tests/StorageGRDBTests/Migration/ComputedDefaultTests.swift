import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Columns whose default is computed, which SQLite adds to an empty table only.
@Suite struct ComputedDefaultTests {
    private let queue: GRDB.DatabaseQueue
    private let clock = ManualClock(Date(timeIntervalSince1970: 1_767_323_045.678))

    init() throws {
        queue = try GRDB.DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE notes (id TEXT PRIMARY KEY)") }
    }

    private func schema(_ type: String, default value: String?) -> AppMigrations {
        var schema = AppMigrations()
        let column = ColumnSchema(name: "x", type: type, notNull: true, defaultValue: value)
        schema.autoSchema(
            tables: [
                TableSchema(name: "notes", columns: [ColumnSchema(name: "id", type: "TEXT", primaryKey: true), column])
            ])
        return schema
    }

    private func insert(_ id: String) throws {
        try queue.write { try $0.execute(sql: "INSERT INTO notes (id) VALUES (?)", arguments: [id]) }
    }

    @Test(arguments: [
        ("DATETIME", "CURRENT_TIMESTAMP", "2026-01-02 03:04:05.678"),
        ("DATETIME", "current_timestamp", "2026-01-02 03:04:05.678"),
        ("TEXT", "CURRENT_DATE", "2026-01-02"),
        ("TEXT", "CURRENT_TIME", "03:04:05"),
        ("TEXT", "(lower('A') || 'it''s')", "ait's"),
        ("INTEGER", "(1 + 1)", "2"),
        ("TEXT", "'(1 + 1)'", "(1 + 1)"),
    ])
    func existingRowsGetAComputedDefaultAsAConstant(type: String, value: String, expected: String) throws {
        try insert("1")
        try schema(type, default: value).run(on: queue, clock: clock)
        #expect(try queue.read { try String.fetchOne($0, sql: "SELECT CAST(x AS TEXT) FROM notes") } == expected)
    }

    @Test(arguments: [nil, "CURRENT_TIMESTAMP"])
    func aTimeThatNoColumnTakesIsToldWithTableAndColumn(value: String?) throws {
        try insert("1")
        let clock = ManualClock(Date(timeIntervalSince1970: 253_402_300_800))
        let error = #expect(throws: StorageError.self) {
            try schema("DATETIME", default: value).run(on: queue, clock: clock)
        }
        #expect(error?.localizedDescription.contains("'notes.x'") == true)
    }

    @Test func aDefaultThatIsNoTimeDoesNotAskTheClock() throws {
        try insert("1")
        try schema("INTEGER", default: "7").run(
            on: queue, clock: ManualClock(Date(timeIntervalSince1970: 253_402_300_800)))
        #expect(try queue.read { try Int.fetchAll($0, sql: "SELECT x FROM notes") } == [7])
    }

    @Test func aTableWithoutRowsGetsTheDefaultAsItIs() throws {
        let schema = schema("DATETIME", default: "CURRENT_TIMESTAMP")
        try schema.run(on: queue, clock: clock)
        #expect(try schema.plan(on: queue).isEmpty)
        try insert("1")
        #expect(try queue.read { try String.fetchOne($0, sql: "SELECT x FROM notes") } != "2026-01-02 03:04:05.678")
    }

    @Test func theConstantInPlaceOfADefaultIsReported() throws {
        try insert("1")
        let schema = schema("DATETIME", default: "CURRENT_TIMESTAMP")
        try schema.run(on: queue, clock: clock)
        let plan = try schema.plan(on: queue)
        #expect(plan.operations.isEmpty)
        #expect(plan.differences.map(\.kind) == [.defaultValue])
    }

    @Test func aComputedDefaultOfANewTableIsAsTheModelHasIt() throws {
        let schema = schema("TEXT", default: "(lower('A') || 'b')")
        try schema.run(on: queue, clock: clock)
        let plan = try schema.plan(on: queue)
        #expect(plan.isEmpty, "\(plan)")
    }

    @Test func aComputedDefaultWithANULIsWhole() throws {
        try insert("1")
        try schema("TEXT", default: "('a' || char(0) || 'b')").run(on: queue, clock: clock)
        try insert("2")
        #expect(try queue.read { try String.fetchAll($0, sql: "SELECT hex(x) FROM notes") } == ["610062", "610062"])
    }

    /// SQLite has no constant for it there.
    @Test func aDefaultWithANULIsNotAddedToTheRowsOfAFileInUTF16() throws {
        let queue = try GRDB.DatabaseQueue()
        try queue.inDatabase { db in
            try db.execute(
                sql:
                    "PRAGMA encoding = 'UTF-16'; CREATE TABLE notes (id TEXT PRIMARY KEY); INSERT INTO notes VALUES ('1')"
            )
        }
        let schema = schema("TEXT", default: "('a' || char(0) || 'b')")
        #expect(throws: StorageError.self) { try schema.run(on: queue, clock: clock) }
        #expect(
            try queue.read { try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info('notes')") } == ["id"])
    }
}
