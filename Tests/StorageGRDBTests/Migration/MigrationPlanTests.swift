import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct MigrationPlanTests {
    private let folder: TemporaryFolder
    private let pool: GRDB.DatabasePool

    init() throws {
        folder = try TemporaryFolder()
        pool = try GRDB.DatabasePool(path: folder.file().path)
    }

    private static let users = TableSchema(name: "users", columns: [.id, .text("name")])
    private static let phone = ColumnSchema.text("phone")

    private static func users(with columns: ColumnSchema...) -> TableSchema {
        TableSchema(name: "users", columns: users.columns + columns)
    }

    private func schema(_ describe: (inout AppMigrations) -> Void) -> AppMigrations {
        var schema = AppMigrations()
        describe(&schema)
        return schema
    }

    private func bytes() throws -> [Data] {
        try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: pool.path + $0)) }
    }

    @Test func anEmptyFileNeedsEverything() throws {
        let plan = try schema {
            $0.addKVCache()
            $0.autoSchema(tables: [Self.users])
            $0.migration("index") { try $0.create(index: "i", on: "users", columns: ["name"]) }
        }.plan(on: pool)
        #expect(
            plan.operations == [.createCacheTable("kv_cache"), .createTable(Self.users), .runMigration(id: "index")])
        #expect(plan.differences.isEmpty)
        #expect(!plan.isEmpty)
    }

    @Test func aFileThatIsUpToDateNeedsNothing() throws {
        let schema = schema {
            $0.addKVCache()
            $0.autoSchema(tables: [Self.users])
        }
        try schema.run(on: pool)
        #expect(try schema.plan(on: pool).isEmpty)
    }

    @Test func anAddedColumnComesWithItsDefault() throws {
        try schema { $0.autoSchema(tables: [Self.users]) }.run(on: pool)
        let plan = try schema { $0.autoSchema(tables: [Self.users(with: Self.phone)]) }.plan(on: pool)
        let added = ColumnSchema(name: "phone", type: "TEXT", notNull: true, defaultValue: "''")
        #expect(plan.operations == [.addColumn(added, table: "users")])
        #expect(plan.description == #"Add column 'phone' to 'users': "phone" TEXT NOT NULL DEFAULT ''"#)
    }

    @Test func thePlanIsWhatTheStartDoes() throws {
        try schema { $0.autoSchema(tables: [Self.users]) }.run(on: pool)
        try pool.write { try $0.execute(sql: "INSERT INTO users VALUES ('1', 'Ada')") }
        let next = schema {
            // What it leaves for auto-schema is known only by running it.
            $0.migration("rename") { try $0.execute(sql: "ALTER TABLE users RENAME COLUMN name TO phone") }
            $0.migration("guarded", skipIfTableExists: "users") { try $0.execute(sql: "CREATE TABLE users (x)") }
            $0.autoSchema(tables: [TableSchema(name: "users", columns: [Self.users.columns[0], Self.phone])])
        }
        #expect(
            try next.plan(on: pool).operations == [
                .runMigration(id: "rename"), .skipMigration(id: "guarded", existingTable: "users"),
            ])
        try next.run(on: pool)
        #expect(try next.plan(on: pool).isEmpty)
        #expect(try pool.read { try String.fetchOne($0, sql: "SELECT phone FROM users") } == "Ada")
    }

    @Test func aPlanWithAnUnknownMigrationOrWithSomethingLeftOutIsNotEmpty() {
        var unknown = MigrationPlan()
        unknown.unknownMigrations = ["newer"]
        var omitting = MigrationPlan()
        omitting.omitted = [.createIndex(IndexSchema(["name"]), table: "users")]
        #expect(MigrationPlan().isEmpty && !unknown.isEmpty && !omitting.isEmpty)
    }

    @Test func planningDoesNotTouchTheFile() throws {
        try schema { $0.autoSchema(tables: [Self.users]) }.run(on: pool)
        let before = try bytes()
        _ = try schema {
            $0.autoSchema(tables: [Self.users(with: Self.phone)])
            $0.migration("fill") { try $0.execute(sql: "INSERT INTO users VALUES ('1', 'Ada', '')") }
        }.plan(on: pool)
        #expect(try bytes() == before)
    }

    @Test func aReadOnlyConnectionCanBePlannedFor() throws {
        try schema { $0.autoSchema(tables: [Self.users]) }.run(on: pool)
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let reader = try GRDB.DatabasePool(path: pool.path, configuration: configuration)
        let plan = try schema { $0.autoSchema(tables: [Self.users(with: Self.phone)]) }.plan(on: reader)
        #expect(plan.operations.count == 1)
    }

    @Test func aDatabaseWhoseConfigurationAsksForTheWriteAheadLogCanBePlannedFor() throws {
        var configuration = GRDB.Configuration()
        configuration.journalMode = .wal
        let queue = try GRDB.DatabaseQueue(path: folder.file("queue.sqlite").path, configuration: configuration)
        #expect(try schema { $0.autoSchema(tables: [Self.users]) }.plan(on: queue).operations.count == 1)
    }

    @Test func aPlanThatCannotWorkThrowsWhatTheStartWould() throws {
        let error = #expect(throws: StorageError.self) {
            try schema { $0.migration("broken") { try $0.execute(sql: "DROP TABLE nowhere") } }.plan(on: pool)
        }
        guard case .migrationFailed("broken", _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func whatAutoSchemaLeavesIsReportedAsAValueAndByTheLogger() throws {
        try schema { $0.autoSchema(tables: [Self.users(with: Self.phone)]) }.run(on: pool)
        let name = ColumnSchema(name: "name", type: "TEXT", notNull: true, defaultValue: "'none'")
        let next = schema {
            $0.autoSchema(tables: [TableSchema(name: "users", columns: [Self.users.columns[0], name])])
        }
        // The record of the new model is due, and that `phone` takes NULL.
        try next.run(on: pool)
        let plan = try next.plan(on: pool)
        #expect(plan.operations.isEmpty)
        #expect(plan.differences.map(\.kind) == [.defaultValue, .columnNotInModel])

        let warnings = try AppMigrations.start(on: pool) { $0 = next }
        #expect(warnings.count == 2)
        #expect(warnings[0].hasPrefix(#"Warning: 'users.name' is "name" TEXT NOT NULL in the file and "name" TEXT"#))
        #expect(warnings[1].hasPrefix(#"Warning: 'users.phone' is in the file ("phone" TEXT)"#))
    }

    @Test func columnsOfAnotherRecordOfTheTableAreKnown() throws {
        let other = TableSchema(name: "users", columns: [Self.users.columns[0], Self.phone])
        let both = schema { $0.autoSchema(tables: [Self.users, other]) }
        try both.run(on: pool)
        #expect(try both.plan(on: pool).isEmpty)
    }

    @Test func whereTwoRecordsOfATableContradictEachOtherTheSecondOneDiffers() throws {
        let name = ColumnSchema(name: "name", type: "INTEGER", notNull: true)
        let other = TableSchema(name: "users", columns: [Self.users.columns[0], name])
        let both = schema { $0.autoSchema(tables: [Self.users, other]) }
        try both.run(on: pool)
        #expect(try both.plan(on: pool).differences.map(\.kind) == [.type])
    }

    // MARK: - What it costs

    @Test func eachOperationTellsTheRowsThatItWrites() throws {
        try schema { $0.autoSchema(tables: [Self.users]) }.run(on: pool)
        try pool.write { db in
            for id in 1...5 { try db.execute(sql: "INSERT INTO users VALUES (?, 'Ada')", arguments: [id]) }
        }
        let plan = try schema {
            $0.autoSchema(tables: [Self.users(with: Self.phone)])
            $0.migration("loud") { try $0.execute(sql: "UPDATE users SET name = upper(name) WHERE id < 4") }
        }.plan(on: pool)
        #expect(plan.operations.count == 2)
        #expect(plan.costs.map(\.rows) == [0, 3])
        #expect(plan.costs.allSatisfy { $0.duration >= .zero && $0.duration <= plan.duration })
    }

    @Test func aTableThatIsMadeAnewCostsItsRows() throws {
        let model = TableSchema(name: "users", columns: Self.users.columns + [Self.phone])
        try schema { $0.autoSchema(tables: [model]) }.run(on: pool)
        try pool.write { db in
            for id in 1...5 { try db.execute(sql: "INSERT INTO users VALUES (?, 'Ada', '')", arguments: [id]) }
        }
        let plan = try schema { $0.autoSchema(tables: [Self.users]) }.plan(on: pool)
        #expect(plan.operations == [.makeNullable(column: "phone", table: "users")])
        #expect(plan.costs.map(\.rows) == [5])
    }

    private static let before = TableSchema(
        name: "users", columns: [.id, .text("flag"), .text("phone", notNull: false), .text("pet", notNull: false)])
    private static let after = TableSchema(
        name: "users",
        columns: [
            .id, .text("flag", notNull: false),
            ColumnSchema(name: "phone", type: "TEXT", notNull: true, defaultValue: "'-'"),
            ColumnSchema(name: "pet", type: "TEXT", notNull: true, defaultValue: "'cat'"),
        ])

    /// What becomes of five rows of which two have no phone and three have no pet.
    private func planOfFillsAndOneRebuild() throws -> MigrationPlan {
        try schema { $0.autoSchema(tables: [Self.before]) }.run(on: pool)
        try pool.write { db in
            for id in 1...5 {
                try db.execute(
                    sql: "INSERT INTO users VALUES (?, '', iif(?1 > 2, '1', NULL), iif(?1 > 3, 'dog', NULL))",
                    arguments: [id])
            }
        }
        return try schema { $0.autoSchema(tables: [Self.after]) }.plan(on: pool)
    }

    @Test func eachFillTellsTheRowsThatItFillsItself() throws {
        let plan = try planOfFillsAndOneRebuild()
        let rows = zip(plan.operations, plan.costs).compactMap { operation, cost -> String? in
            guard case .fillColumn(let column, _) = operation else { return nil }
            return "\(column.name) \(cost.rows)"
        }
        #expect(rows == ["phone 2", "pet 3"])
    }

    @Test func theRowsOfATableThatIsMadeAnewOnceAreCountedOnce() throws {
        let plan = try planOfFillsAndOneRebuild()
        #expect(plan.operations.count == 2 + 3)
        #expect(plan.costs.map(\.rows).suffix(3) == [5, 0, 0])
        #expect(plan.description.split(separator: "\n").last?.hasPrefix("In all: 10 rows, ") == true)
    }

    @Test func namesAndTablesCostNothingAndADroppedColumnTheRowsOfItsTable() throws {
        try schema { $0.autoSchema(OlderShipRecord.self) }.run(on: pool)
        try pool.write { db in
            for id in 1...5 {
                try db.execute(sql: "INSERT INTO planned_ships VALUES (?, 'Ada', 'x', '')", arguments: [id])
            }
        }
        let plan = try schema {
            $0.autoSchema(ShipRecord.self)
            $0.autoSchema(tables: [Self.users])
            $0.drop(column: "flag", of: ShipRecord.self)
        }.plan(on: pool)
        let rows = Dictionary(
            uniqueKeysWithValues: zip(plan.operations.map { "\($0)".prefix(4) }, plan.costs.map(\.rows)))
        #expect(rows == ["Rena": 0, "Crea": 0, "Drop": 5])
    }

    @Test func aFullTextIndexCostsTheRowsOfItsTable() throws {
        try schema { $0.autoSchema(tables: [Self.users]) }.run(on: pool)
        try pool.write { db in
            for id in 1...5 { try db.execute(sql: "INSERT INTO users VALUES (?, 'Ada')", arguments: [id]) }
        }
        let plan = try schema {
            $0.autoSchema(tables: [Self.users])
            $0.addFullTextSearch(table: "users", columns: ["name"])
        }.plan(on: pool)
        #expect(plan.costs.map(\.rows) == [5])
    }

    @Test func thePlanPrintsRowsAndTimeWhereRowsAreWritten() throws {
        try schema { $0.autoSchema(tables: [Self.users]) }.run(on: pool)
        try pool.write { try $0.execute(sql: "INSERT INTO users VALUES ('1', 'Ada')") }
        let plan = try schema {
            $0.autoSchema(tables: [Self.users])
            $0.migration("loud") { try $0.execute(sql: "UPDATE users SET name = upper(name)") }
        }.plan(on: pool)
        let lines = plan.description.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("Run migration 'loud' (1 row, "))
        #expect(lines[1].hasPrefix("In all: 1 row, "))
    }

    @Test(arguments: [
        (0.0, "1 row, less than 0.1 s"), (0.26, "1 row, about 0.3 s"), (12.0, "1 row, about 12.0 s"),
    ]) func aCostIsTenthsOfSeconds(seconds: Double, text: String) {
        #expect("\(MigrationPlan.Cost(rows: 1, duration: .seconds(seconds)))" == text)
    }

    @Test func twoPlansThatDoTheSameAreEqual() throws {
        let next = schema { $0.autoSchema(tables: [Self.users]) }
        #expect(try next.plan(on: pool) == next.plan(on: pool))
    }
}

@StorageEntity(table: "planned_ships") private struct OlderShip {
    var id: Int
    var title: String
    var flag: String
}

@StorageEntity(table: "planned_ships") private struct Ship {
    var id: Int
    @StorageRenamed(from: "title") var name: String
}
