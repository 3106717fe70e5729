import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Tables of other programs in which SQLite checks the types.
@Suite struct StrictTableTests {
    @StorageEntity(table: "things")
    struct Thing: Equatable {
        var id: String
        var isActive: Bool
        var at: Date
        var size: UInt64
        var price: Decimal
        var count: Int
        var score: Double
        var data: Data
        var tags: [String]
        var day: Date?
    }

    private let now = Date(timeIntervalSince1970: 1_767_225_600)
    private let queue: GRDB.DatabaseQueue
    private var schema = AppMigrations()

    init() throws {
        queue = try GRDB.DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: "CREATE TABLE things (id TEXT PRIMARY KEY NOT NULL) STRICT; INSERT INTO things VALUES ('1')")
        }
        schema.autoSchema(ThingRecord.self)
    }

    @Test func existingRowsOfAStrictTableReadBack() throws {
        try schema.run(on: queue, clock: ManualClock(now))
        let thing = try queue.read { try ThingRecord.fetchOne($0) }?.asEntity()
        #expect(
            thing
                == Thing(
                    id: "1", isActive: false, at: now, size: 0, price: 0, count: 0, score: 0, data: Data(), tags: [],
                    day: nil))
    }

    @Test func aStrictTableTakesAllValuesOfTheModel() throws {
        try schema.run(on: queue, clock: ManualClock(now))
        let thing = Thing(
            id: "2", isActive: true, at: now, size: .max, price: 12.5, count: -1, score: 0.5, data: Data([1]),
            tags: ["a"], day: now)
        try queue.write { try ThingRecord.from(thing, now: now).insert($0) }
        #expect(try queue.read { try ThingRecord.fetchOne($0, key: "2") }?.asEntity() == thing)
    }

    @Test func aStrictTableThatWasAdoptedIsUpToDate() throws {
        try schema.run(on: queue, clock: ManualClock(now))
        let plan = try schema.plan(on: queue)
        #expect(plan.isEmpty, "\(plan)")
    }

    @Test func aColumnOfAStrictTableThatIsOfAnotherTypeBecomesTheTypeThatSuchATableHas() throws {
        try queue.write { db in
            try db.execute(
                sql: "DELETE FROM things; ALTER TABLE things ADD COLUMN at INTEGER NOT NULL DEFAULT 0")
        }
        let change = MigrationPlan.Operation.changeType(column: "at", from: "INTEGER", to: "TEXT", table: "things")
        #expect(try schema.plan(on: queue).operations.contains(change))
        try schema.run(on: queue, clock: ManualClock(now))
        #expect(try schema.plan(on: queue).isEmpty)
    }

    /// Of what the entity calls its columns a strict table knows less, or takes anything.
    @Test(arguments: [
        ("size TEXT", "'7'", "ANY"), ("at ANY", "'2026-03-01T10:00:00Z'", "TEXT"),
        ("isActive ANY", "2", "INTEGER"),
    ])
    func aValueThatTheEntityCouldNotReadOrFindIsATypedError(column: String, value: String, type: String) throws {
        try queue.write {
            try $0.execute(
                sql:
                    "ALTER TABLE things ADD COLUMN \(column); UPDATE things SET \(column.prefix { $0 != " " }) = \(value)"
            )
        }
        let error = #expect(throws: StorageError.self) { try schema.run(on: queue) }
        guard case .migrationFailed(_, let underlying as SchemaConflictError) = error else {
            Issue.record("unexpected: \(error as Any)")
            return
        }
        #expect(underlying.reason == .values(type: type, rows: 1))
    }

    @Test func aValueThatAStrictTableWouldRefuseIsATypedError() throws {
        try queue.write { try $0.execute(sql: "ALTER TABLE things ADD COLUMN score TEXT NOT NULL DEFAULT 'high'") }
        let error = #expect(throws: StorageError.self) { try schema.run(on: queue) }
        guard case .migrationFailed(_, let cause as SchemaConflictError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(
            cause == SchemaConflictError(table: "things", columns: ["score"], reason: .values(type: "REAL", rows: 1)))
    }
}
