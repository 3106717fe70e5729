import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Upgrades along made-up histories of an app's model in which all changes are declared, against a model without a database.
@Suite(.timeLimit(.minutes(30))) struct ModelHistoryTests {
    @Test func everyUpgradeEndsWhereAFreshInstallDoesAndKeepsAllRows() throws {
        var generator = SeededGenerator()
        for number in 0..<programCount(short: 5, quick: 30, full: 2000) {
            let history = ModelHistory(length: Int.random(in: 2...5, using: &generator), using: &generator)
            try check(history, using: &generator, "seed \(generator.seed), history \(number)")
        }
    }

    /// Walks from version to version with new rows in each, and goes from each to every later one at once. Then the version before
    /// starts.
    private func check(_ history: ModelHistory, using generator: inout SeededGenerator, _ comment: Comment) throws {
        let folder = try TemporaryFolder()
        let fresh = try history.versions.indices.map { version in
            let file = folder.file("fresh-\(version).sqlite")
            try run(file, history, version)
            return try file.quickQueue().inDatabase { try ModelStructure($0, history.versions[version].tables) }
        }
        var rows = ModelRows()
        let file = folder.file("walk.sqlite")
        for version in history.versions.indices {
            try start(file, history, version, &rows, fresh[version], "\(comment), to \(version)")
            try file.quickQueue().inDatabase { db in
                try rows.add(to: history.versions[version].tables, db, using: &generator)
            }
            for later in history.versions.indices.dropFirst(version + 2) {
                let copy = folder.file("\(version)-\(later).sqlite")
                try FileManager.default.copyItem(at: file, to: copy)
                var rows = rows
                try start(copy, history, later, &rows, fresh[later], "\(comment), from \(version) to \(later)")
            }
            if version > 0 { try goBack(file, history, version - 1, "\(comment), back to \(version - 1)") }
        }
    }

    /// A version that is not the newest throws, or goes on and changes nothing, but for NULLs in columns which it knows again.
    private func goBack(_ file: URL, _ history: ModelHistory, _ version: Int, _ comment: Comment) throws {
        let before = try dump(file)
        var operations: [MigrationPlan.Operation] = []
        do {
            var schema = AppMigrations()
            history.describe(version, &schema)
            operations = try schema.plan(on: file.quickQueue(), clock: ManualClock()).operations
            try run(file, history, version)
        } catch StorageError.migrationFailed(_, let cause) {
            #expect(cause is OlderModelError, "\(cause); \(comment)")
        }
        for operation in operations {
            guard case .fillColumn = operation else {
                Issue.record("\(operation); \(comment)")
                continue
            }
        }
        let after = try dump(file)
        #expect(after == before || !operations.isEmpty, "\(after.firstDifference(from: before)); \(comment)")
    }

    private func start(
        _ file: URL, _ history: ModelHistory, _ version: Int, _ rows: inout ModelRows, _ fresh: ModelStructure,
        _ comment: Comment
    ) throws {
        try run(file, history, version)
        rows.start(history.versions[version], now: ManualClock().now)
        try file.quickQueue().inDatabase { db in
            let found = try ModelStructure(db, history.versions[version].tables)
            #expect(found.lines == fresh.lines, comment)
            try rows.check(history.versions[version].tables, in: db, comment)
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"], comment)
            #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty, comment)
        }
        var schema = AppMigrations()
        history.describe(version, &schema)
        let again = try schema.plan(on: file.quickQueue()).operations
        #expect(again == [], comment)
    }

    private func run(_ file: URL, _ history: ModelHistory, _ version: Int) throws {
        try AppMigrations.start(on: file.quickQueue()) { history.describe(version, &$0) }
    }

    /// All but the notes of starts that found nothing to do.
    private func dump(_ file: URL) throws -> DatabaseDump {
        try file.quickQueue().inDatabase { db in
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE 'storage_schema_checked:%'")
            return try DatabaseDump(db)
        }
    }
}

/// What an upgraded file and a fresh one have in common: the columns of the model, and all that hangs on its tables. Columns that
/// the model no longer has stay in the upgraded one.
private struct ModelStructure {
    let lines: Set<String>

    init(_ db: GRDB.Database, _ tables: [TableSchema]) throws {
        var lines: Set<String> = []
        for table in tables {
            let columns = table.columns.map(\.name.quotedLiteral).joined(separator: ", ")
            for sql in [
                "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?) WHERE name IN (\(columns))",
                #"SELECT "from", "table", "to", on_delete, on_update FROM pragma_foreign_key_list(?)"#,
                "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type IN ('index', 'trigger', 'view')",
                "SELECT sql LIKE '%AUTOINCREMENT%' FROM sqlite_master WHERE name = ?",
            ] {
                for row in try Row.fetchAll(db, sql: sql, arguments: [table.name]) {
                    lines.insert("\(table.name): \(row)")
                }
            }
        }
        self.lines = lines
    }
}

/// What the rows of a file must say, kept without a database. A row lacks what was never written for it.
private struct ModelRows {
    /// Each value as SQLite's `quote` writes it.
    typealias Row = [String: String]

    struct Table {
        var columns: [String: String] = [:]
        var rows: [String: Row] = [:]

        mutating func rename(_ old: String, to new: String) {
            columns[new] = columns.removeValue(forKey: old)
            for key in Array(rows.keys) {
                let value = rows[key]?.removeValue(forKey: old)
                rows[key]?[new] = value
            }
        }

        mutating func update(_ column: String, _ body: (String?) -> String?) {
            for key in Array(rows.keys) {
                let value = body(rows[key]?[column])
                rows[key]?[column] = value
            }
        }
    }

    private var tables: [String: Table] = [:]
    private var nextKey = 0

    mutating func start(_ version: ModelHistory.Version, now: Date) {
        for schema in version.tables {
            if let old = schema.formerNames.first(where: { tables[$0] != nil }) {
                tables[schema.name] = tables.removeValue(forKey: old)
            }
            start(schema, now: now)
        }
        for (table, column) in version.drops {
            tables[table]?.columns[column] = nil
            tables[table]?.update(column) { _ in nil }
        }
    }

    private mutating func start(_ schema: TableSchema, now: Date) {
        var table = tables[schema.name] ?? Table()
        for column in schema.columns {
            for old in schema.formerColumnNames[column.name] ?? [] where table.columns[old] != nil {
                table.rename(old, to: column.name)
            }
            let filler = column.valueOfExistingRows(now: now)
            if table.columns[column.name] == nil {
                table.update(column.name) { _ in filler }
            } else {
                table.update(column.name) { value in
                    let value = value == "NULL" && column.notNull ? filler : value
                    return value.map { $0.converted(to: column.type) }
                }
            }
            table.columns[column.name] = column.type
        }
        tables[schema.name] = table
    }

    mutating func add(to schemas: [TableSchema], _ db: GRDB.Database, using generator: inout SeededGenerator) throws {
        for schema in schemas {
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                nextKey += 1
                var row: Row = [:]
                for column in schema.columns {
                    row[column.name] = column.randomValue(using: &generator)
                    if column.name.hasPrefix("parent") {
                        let parent = schema.references.first { $0.column == column.name }?.table
                        row[column.name] =
                            parent.flatMap { tables[$0]?.rows.keys.sorted().randomElement(using: &generator) } ?? "NULL"
                    }
                    if column.primaryKey {
                        row[column.name] = column.type == "TEXT" ? "'key \(nextKey)'" : "\(nextKey)"
                    }
                }
                let columns = row.keys.sorted()
                let values = columns.map { row[$0] ?? "NULL" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO \(schema.name) (\(columns.joined(separator: ", "))) VALUES (\(values))")
                tables[schema.name]?.rows[row["id"] ?? ""] = row
            }
        }
    }

    func check(_ schemas: [TableSchema], in db: GRDB.Database, _ comment: Comment) throws {
        for schema in schemas {
            let columns = try db.columns(in: schema.name).map(\.name)
            let values = columns.map { "quote(\($0)) AS \($0)" }.joined(separator: ", ")
            let found = try GRDB.Row.fetchAll(db, sql: "SELECT \(values) FROM \(schema.name)")
            let expected = tables[schema.name]?.rows ?? [:]
            #expect(found.count == expected.count, comment)
            for row in found {
                for (column, value) in expected[row["id"]] ?? [:] {
                    let now: String? = columns.contains(column) ? row[column] : nil
                    #expect(now == value, "\(schema.name).\(column) of \(row["id"] as String); \(comment)")
                }
            }
        }
    }
}

extension String {
    /// The value as a column of another type has it.
    fileprivate func converted(to type: String) -> String {
        guard let number = Int(self) else { return self }
        switch type {
        case "TEXT": return "'\(number)'"
        case "REAL": return "\(number).0"
        default: return self
        }
    }
}
