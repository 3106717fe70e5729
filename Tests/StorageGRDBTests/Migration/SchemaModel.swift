import GRDB
import StorageKit
import StorageTestSupport

/// What a file with a made-up schema must say, kept without a database: the same steps on plain dictionaries.
struct SchemaModel {
    /// Each value as SQLite's `quote` writes it.
    typealias Row = [String: String]

    struct Table: Equatable {
        var columns: Set<String>
        var rows: [String: Row] = [:]
    }

    private(set) var tables: [String: Table] = [:]
    private(set) var applied: Set<String> = []
    private var nextKey = 0

    mutating func start(_ version: SchemaHistory.Version, now: Date) {
        version.first.forEach { apply($0) }
        version.tables.forEach { bringUpToDate($0, now: now) }
        version.then.forEach { apply($0) }
    }

    private mutating func apply(_ change: SchemaChange) {
        guard applied.insert(change.id).inserted, tables[change.table]?.columns.contains(change.column) == true else {
            return
        }
        switch change.kind {
        case .rename(let old, let new):
            tables[change.table]?.columns.insert(new)
            remove(old, from: change.table) { $0[new] = $1 }
        case .rebuild(let column): remove(column, from: change.table) { _, _ in }
        case .index: break
        case .transform(let column):
            update(change.table) { row in
                row[column] = row[column].map { "'was \($0.replacingOccurrences(of: "'", with: "''"))'" }
            }
        }
    }

    private mutating func remove(_ column: String, from table: String, _ moved: (inout Row, String?) -> Void) {
        tables[table]?.columns.remove(column)
        update(table) { row in
            let value = row.removeValue(forKey: column)
            moved(&row, value)
        }
    }

    private mutating func update(_ table: String, _ body: (inout Row) -> Void) {
        for key in tables[table]?.rows.keys.map({ $0 }) ?? [] {
            guard var row = tables[table]?.rows[key] else { continue }
            body(&row)
            tables[table]?.rows[key] = row
        }
    }

    private mutating func bringUpToDate(_ schema: TableSchema, now: Date) {
        guard let present = tables[schema.name]?.columns else {
            tables[schema.name] = Table(columns: Set(schema.columns.map(\.name)))
            return
        }
        for column in schema.columns where !present.contains(column.name) {
            tables[schema.name]?.columns.insert(column.name)
            update(schema.name) { $0[column.name] = column.valueOfExistingRows(now: now) }
        }
    }
}

extension ColumnSchema {
    /// What the documents promise for an added column, and for NULLs of one that takes none any more.
    func valueOfExistingRows(now: Date) -> String {
        if let defaultValue { return defaultValue }
        guard notNull else { return "NULL" }
        switch type {
        case "INTEGER", "BOOLEAN", "UNSIGNED BIG INT": return "0"
        case "DECIMAL_TEXT": return "'0'"
        case "REAL": return "0.0"
        case "BLOB": return "X''"
        case "DATETIME": return "'2026-01-01 00:00:00.000'"
        default: return "''"
        }
    }

    func randomValue(using generator: inout SeededGenerator) -> String {
        if !notNull, Int.random(in: 0..<4, using: &generator) == 0 { return "NULL" }
        let number = Int.random(in: -1000...1000, using: &generator)
        switch type {
        case "INTEGER": return "\(number)"
        case "UNSIGNED BIG INT": return "\(abs(number))"
        case "BOOLEAN": return "\(abs(number) % 2)"
        case "REAL": return "\(Double(number) / 2)"
        case "BLOB": return "X'\(String(format: "%04X", abs(number)))'"
        case "DATETIME": return "'2025-01-01 00:00:0\(abs(number) % 10).000'"
        case "DECIMAL_TEXT": return "'\(number).5'"
        default: return "'it''s \(number)'"
        }
    }
}

// MARK: - Rows in both

extension SchemaModel {
    /// Adds rows to the model and to a file.
    mutating func addRows(
        _ version: SchemaHistory.Version, to db: GRDB.Database, using generator: inout SeededGenerator
    )
        throws
    {
        for table in version.tables {
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                nextKey += 1
                var row: Row = [:]
                for column in table.columns {
                    row[column.name] = column.randomValue(using: &generator)
                    if column.primaryKey {
                        row[column.name] = column.type == "TEXT" ? "'key \(nextKey)'" : "\(nextKey)"
                    }
                }
                let columns = row.keys.sorted()
                let values = columns.map { row[$0] ?? "NULL" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(values))")
                tables[table.name]?.rows[row["id"] ?? ""] = row
            }
        }
    }

    /// The same of a file.
    static func tables(in db: GRDB.Database) throws -> [String: Table] {
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'grdb_migrations'")
        var tables: [String: Table] = [:]
        for name in names {
            let columns = try db.columns(in: name).map(\.name)
            let values = columns.map { "quote(\($0)) AS \($0)" }.joined(separator: ", ")
            var table = Table(columns: Set(columns))
            for row in try GRDB.Row.fetchAll(db, sql: "SELECT \(values) FROM \(name)") {
                table.rows[row["id"]] = Dictionary(uniqueKeysWithValues: columns.map { ($0, row[$0]) })
            }
            tables[name] = table
        }
        return tables
    }
}
