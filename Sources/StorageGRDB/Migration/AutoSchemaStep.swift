import GRDB

/// Creates the tables of records, and adds the columns that an existing table lacks.
struct AutoSchemaStep: MigrationStep {
    static let idPrefix = "auto_schema_"

    let tables: [AutoTable]
    /// What is wrong with the records. Describing a schema cannot throw; running it does.
    let problems: [String]
    let id: String

    init(tables: [AutoTable], problems: [String] = []) {
        self.tables = tables
        self.problems = problems
        id = AutoSchemaStep.idPrefix + tables.map(\.schema).fingerprint
    }

    func check() throws {
        if let problem = problems.first { throw StorageError.invalidConfiguration(message: problem) }
        for table in tables { try table.schema.name.checkAsTableName() }
    }

    /// Trusts the tables, and not the record of what was once applied.
    func isDue(on db: Database, applied: Bool) throws -> Bool {
        try !applied || tables.contains { try !db.diff($0.schema).isUpToDate }
    }

    func apply(to db: Database, in run: MigrationContext, done: (MigrationPlan.Operation) -> Void) throws {
        for table in tables {
            let diff = try db.diff(table.schema)
            if diff.isTableMissing {
                try table.schema.create(in: db)
                done(.createTable(table.schema))
            } else if !diff.missingColumns.isEmpty {
                let names = Set(diff.missingColumns.map(\.name))
                let missing = table.schema.columns.filter { names.contains($0.name) }
                let isStrict = try db.isStrict(table.schema.name)
                for filled in try db.filled(missing, of: table, in: run) {
                    let column = isStrict ? filled.inStrictTable : filled
                    try db.execute(
                        sql: "ALTER TABLE main.\(table.schema.name.quotedIdentifier) ADD COLUMN \(column.sql)")
                    done(.addColumn(column, table: table.schema.name))
                }
            }
        }
        try db.recordModel(tables.map(\.schema), id: id)
    }
}

extension Database {
    /// Compares the table itself with its description, for a `STRICT` table with the types that such a table has.
    func diff(_ schema: TableSchema) throws -> SchemaDiff {
        let columns = try isStrict(schema.name) ? schema.columns.map(\.inStrictTable) : schema.columns
        return try SchemaDiff(
            model: TableSchema(name: schema.name, columns: columns), file: tableSchema(named: schema.name))
    }

    /// Whether SQLite checks the types of a table's values.
    fileprivate func isStrict(_ table: String) throws -> Bool {
        let sql = "SELECT strict FROM pragma_table_list(?) WHERE schema = 'main'"
        return try Bool.fetchOne(self, sql: sql, arguments: [table]) == true
    }

    /// The table as the file has it, generated columns too; nil if there is none.
    func tableSchema(named name: String) throws -> TableSchema? {
        guard try hasTable(name) else { return nil }
        let rows = try Row.fetchAll(self, sql: "PRAGMA main.table_xinfo(\(name.quotedIdentifier))")
        let columns = rows.map { row in
            // A generated column takes no value from anybody, so that what it refuses does not matter.
            let isGenerated = (row["hidden"] as Int) > 1
            return ColumnSchema(
                name: row["name"], type: row["type"], notNull: row["notnull"] == 1 && !isGenerated,
                primaryKey: (row["pk"] as Int) > 0, defaultValue: row["dflt_value"])
        }
        return TableSchema(name: name, columns: columns)
    }
}

extension ColumnSchema {
    /// The column with the type that keeps the same values in a `STRICT` table, which has six types only.
    fileprivate var inStrictTable: ColumnSchema {
        ColumnSchema(
            name: name, type: strictType, notNull: notNull, primaryKey: primaryKey, defaultValue: defaultValue)
    }

    private var strictType: String {
        switch type.uppercased() {
        case "ANY", "INT": return type
        // Kept as text.
        case "DATETIME": return "TEXT"
        case "BOOLEAN": return "INTEGER"
        // Large ones are blobs.
        case ColumnType.unsigned.rawValue: return "ANY"
        default:
            let affinity = Affinity(of: type)
            return affinity == .numeric ? "ANY" : affinity.rawValue
        }
    }
}

extension TableSchema {
    func create(in db: Database) throws {
        try name.checkAsTableName()
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

extension String {
    /// - Throws: `StorageError.invalidTableName` for a name that SQLite keeps for itself, or that GRDB, which
    ///   puts names between quotes as they are, cannot handle.
    func checkAsTableName() throws {
        let isReserved = lowercased().hasPrefix("sqlite_")
        if isReserved || !isName { throw StorageError.invalidTableName(self) }
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
        // FNV-1a as elsewhere, but in 32 bits: files remember fingerprints of that length.
        var hash: UInt32 = 2_166_136_261
        for byte in lines.sorted().joined(separator: "\u{1E}").utf8 {
            hash = (hash ^ UInt32(byte)) &* 16_777_619
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
