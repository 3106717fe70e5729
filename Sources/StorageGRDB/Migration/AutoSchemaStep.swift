import GRDB

/// Creates the tables of records, and adds the columns that an existing table lacks.
struct AutoSchemaStep: MigrationStep {
    static let idPrefix = "auto_schema_"

    let tables: [AutoTable]
    /// What is wrong with the records. Describing a schema cannot throw; running it does.
    let problems: [String]

    init(tables: [AutoTable], problems: [String] = []) {
        self.tables = tables
        self.problems = problems
    }

    var id: String { AutoSchemaStep.idPrefix + tables.map(\.schema).fingerprint }

    /// By the tables and not by the id, which has 32 bits and takes longer.
    func describe(to fingerprint: inout Fingerprint) {
        fingerprint.add("tables")
        fingerprint.add(UInt64(tables.count))
        for table in tables {
            fingerprint.add(table.schema.name)
            fingerprint.add(UInt64(table.schema.columns.count))
            for column in table.schema.columns {
                fingerprint.add(column.name)
                fingerprint.add(column.type)
                fingerprint.add(
                    (column.notNull ? 1 : 0) | (column.primaryKey ? 2 : 0) | (column.defaultValue == nil ? 0 : 4))
                if let value = column.defaultValue { fingerprint.add(value) }
            }
        }
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
