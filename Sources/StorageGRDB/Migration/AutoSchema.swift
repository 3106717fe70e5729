import GRDB

extension TableSchema {
    func create(in db: Database) throws {
        let keys = columns.filter(\.primaryKey)
        try db.create(table: name) { t in
            for column in columns {
                let definition = t.column(column.name, Database.ColumnType(rawValue: column.type))
                if column.primaryKey, keys.count == 1 {
                    definition.primaryKey()
                } else if column.notNull {
                    definition.notNull()
                }
                if let value = column.defaultValue { definition.defaults(sql: value) }
            }
            if keys.count > 1 { t.primaryKey(keys.map(\.name)) }
        }
    }
}

/// What a table lacks of its schema.
enum SchemaLack {
    case table
    case columns([ColumnSchema])

    var isEmpty: Bool {
        if case .columns(let columns) = self { columns.isEmpty } else { false }
    }
}

extension Database {
    /// Compares the table itself, by name, ignoring case as SQLite does.
    func lacking(_ schema: TableSchema) throws -> SchemaLack {
        guard try tableExists(schema.name) else { return .table }
        let present = Set(try columns(in: schema.name).map { $0.name.lowercased() })
        return .columns(schema.columns.filter { !present.contains($0.name.lowercased()) })
    }

    func bringUpToDate(_ schema: TableSchema, now: Date, log: (String) -> Void) throws {
        switch try lacking(schema) {
        case .table:
            try schema.create(in: self)
            log("Created table '\(schema.name)'")
        case .columns(let columns):
            for column in columns {
                try add(column, to: schema.name, now: now)
                log("Added column '\(column.name)' to '\(schema.name)'")
            }
        }
    }

    private func add(_ column: ColumnSchema, to table: String, now: Date) throws {
        var sql = "ALTER TABLE \(table.quotedIdentifier) ADD COLUMN \(column.name.quotedIdentifier) \(column.type)"
        if column.notNull { sql += " NOT NULL" }
        if let value = try column.defaultValue ?? (column.notNull ? column.defaultOfExistingRows(now: now) : nil) {
            sql += " DEFAULT \(value)"
        }
        try execute(sql: sql)
    }
}

extension String {
    /// - Throws: `StorageError.invalidTableName` for a name that SQLite keeps for itself, or that GRDB, which
    ///   puts names between quotes as they are, cannot handle.
    func checkAsTableName() throws {
        let isReserved = lowercased().hasPrefix("sqlite_")
        if isEmpty || isReserved || contains("\"") || contains("\0") { throw StorageError.invalidTableName(self) }
    }
}

extension ColumnSchema {
    /// The value that existing rows get in an added column which refuses NULL.
    fileprivate func defaultOfExistingRows(now: Date) throws -> String {
        switch type.uppercased() {
        case "INTEGER", "BOOLEAN", ColumnType.unsigned.rawValue: return "0"
        case ColumnType.decimal.rawValue: return "'0'"
        case "REAL": return "0.0"
        case "BLOB": return "x''"
        case "DATETIME":
            // SQLite refuses CURRENT_TIMESTAMP for a column added to a table, so the time becomes a constant.
            guard case .text(let text) = try now.storedValue() else { return "''" }
            return "'\(text)'"
        default: return "''"
        }
    }
}

extension [TableSchema] {
    /// Eight hexadecimal digits that change whenever any table, column, type, key or default does. The order of
    /// tables and columns does not count.
    var fingerprint: String {
        let lines = flatMap { table in
            table.columns.map { column in
                [
                    table.name, column.name, column.type, "\(column.notNull)", "\(column.primaryKey)",
                    column.defaultValue ?? "-",
                ].joined(separator: "\u{1F}")
            }
        }
        // FNV-1a: short, and the same on every machine, which Swift's Hasher is not.
        var hash: UInt32 = 2_166_136_261
        for byte in lines.sorted().joined(separator: "\u{1E}").utf8 {
            hash = (hash ^ UInt32(byte)) &* 16_777_619
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
