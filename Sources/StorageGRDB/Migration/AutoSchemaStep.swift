import GRDB

/// Creates the tables of records, gives those that are there their new names, and adds the columns that they lack. What else they
/// need is done behind all other steps, by ``TableUpgradeStep``.
struct AutoSchemaStep: MigrationStep {
    static let idPrefix = "auto_schema_"

    let tables: [AutoTable]

    var id: String { AutoSchemaStep.idPrefix + tables.map(\.schema).fingerprint }

    /// By the tables and not by the id, which has 32 bits and takes longer.
    func describe(to fingerprint: inout Fingerprint) {
        fingerprint.add("tables")
        fingerprint.add(UInt64(tables.count))
        for table in tables { table.schema.describe(to: &fingerprint) }
    }

    func check() throws {
        for table in tables.map(\.schema.name) {
            try table.checkAsTableName()
            if table.isOwnName {
                throw StorageError.invalidConfiguration(
                    message: "table '\(table)' needs another name: those that begin with "
                        + "'\(FunctionName.ownPrefix)' are StorageKit's own. With '\(table)' as its former name it keeps its rows"
                )
            }
        }
    }

    var bringsModel: Bool { true }

    /// Trusts the tables, and not the record of what was once applied.
    func isDue(on db: Database, applied: Bool, in run: MigrationContext) throws -> Bool {
        try !applied
            || isDueOrInTheWay {
                try tables.contains { table in
                    try db.specialKind(ofTable: table.schema.name) != nil || !db.diff(table.schema).isUpToDate
                } || renamesTables(on: db, in: run)
            }
    }

    /// Columns alone break none, unless they refer to something.
    func mayBreakReferences(on db: Database, in run: MigrationContext) throws -> Bool {
        try tables.contains { table in
            let diff = try db.diff(table.schema)
            return diff.isTableMissing
                || diff.missingColumns.contains { !table.schema.references(from: $0.name).isEmpty }
        } || renamesTables(on: db, in: run)
    }

    private func renamesTables(on db: Database, in run: MigrationContext) throws -> Bool {
        try tablesToRename(run.model).contains { try !db.renames(for: $0, model: run.model).isEmpty }
    }

    func apply(to db: Database, in run: MigrationContext, done: ([MigrationPlan.Operation]) -> Void) throws {
        try checkTables(on: db)
        for table in tablesToRename(run.model) {
            for rename in try db.renames(for: table, model: run.model) {
                try db.apply(rename, in: run)
                done([rename.operation])
            }
        }
        for table in tables {
            let diff = try db.diff(table.schema)
            if diff.isTableMissing {
                try table.schema.createTable(in: db)
                for reference in table.schema.references {
                    try db.record(.reference(reference, of: table.schema.name))
                }
                done([.createTable(table.schema)])
            } else if !diff.missingColumns.isEmpty {
                try add(diff.missingColumns, to: table, on: db, in: run, done)
            }
        }
        try db.recordModel(tables.map(\.schema))
    }

    /// Made anew for a model, the table of a full-text index would take the index with it.
    private func checkTables(on db: Database) throws {
        for table in tables.map(\.schema.name) {
            guard let kind = try db.specialKind(ofTable: table) else { continue }
            throw StorageError.invalidConfiguration(
                message:
                    "'\(table)' is a \(kind) table in the file; only an ordinary table can be that of an entity, "
                    + "so give the entity another one")
        }
    }

    /// The tables of this step, as other steps describe them too. Before each come the tables that still have its name in an older
    /// file: they are renamed first, so that the name is free.
    private func tablesToRename(_ model: [TableSchema]) -> [TableSchema] {
        let namesakes = Dictionary(grouping: model) { SQLName($0.name) }
        var heirs: [SQLName: [TableSchema]] = [:]
        for table in model {
            for name in Set(table.formerNames.map(SQLName.init)) { heirs[name, default: []].append(table) }
        }
        var seen: [SQLName: [TableSchema]] = [:]
        var order: [TableSchema] = []
        func add(_ table: TableSchema) {
            let name = SQLName(table.name)
            guard seen[name]?.contains(table) != true else { return }
            seen[name, default: []].append(table)
            for other in heirs[name] ?? [] { add(other) }
            order.append(table)
        }
        for table in tables {
            add(table.schema)
            for other in namesakes[SQLName(table.schema.name)] ?? [] { add(other) }
        }
        return order
    }

    private func add(
        _ columns: [ColumnSchema], to table: AutoTable, on db: Database, in run: MigrationContext,
        _ done: ([MigrationPlan.Operation]) -> Void
    ) throws {
        let (schema, names) = (table.schema, Set(columns.map(\.name)))
        // With the types of the model: in a STRICT table `diff` has compared others.
        let missing = schema.columns.filter { names.contains($0.name) }
        let isStrict = try db.isStrict(schema.name)
        for filled in try db.filled(missing, of: table, in: run) {
            let column = isStrict ? filled.inStrictTable : filled
            // What existing rows get refers to nothing, unless a migration of the app's changes it: the reference comes behind it.
            let references = column.defaultValue == nil ? schema.references(from: column.name) : []
            let sql = ([column.sql] + references.map(\.sql)).joined(separator: " ")
            try db.execute(sql: "ALTER TABLE main.\(schema.name.quotedIdentifier) ADD COLUMN \(sql)")
            for reference in references { try db.record(.reference(reference, of: schema.name)) }
            done([.addColumn(column, table: schema.name)])
        }
    }
}

extension TableSchema {
    /// Adds all that a start does for it.
    /// Files remember models by this: what it adds stays as it is, or an older app is taken for a newer one.
    fileprivate func describe(to fingerprint: inout Fingerprint) {
        fingerprint.add(name)
        fingerprint.add(UInt64(columns.count))
        for column in columns {
            fingerprint.add(column.name)
            fingerprint.add(column.type)
            fingerprint.add(
                (column.notNull ? 1 : 0) | (column.primaryKey ? 2 : 0) | (column.defaultValue == nil ? 0 : 4))
            if let value = column.defaultValue { fingerprint.add(value) }
        }
        fingerprint.add(givesIds ? 1 : 0)
        let indexes = indexes.serving(references, columns)
        fingerprint.add(UInt64(indexes.count))
        for index in indexes { index.describe(to: &fingerprint) }
        fingerprint.add(UInt64(references.count))
        for reference in references {
            fingerprint.add(reference.column)
            fingerprint.add(reference.sql)
        }
        fingerprint.add(formerNames)
        fingerprint.add(UInt64(formerColumnNames.count))
        for name in formerColumnNames.keys.sorted() { fingerprint.add([name] + formerColumnNames[name, default: []]) }
    }
}

extension IndexSchema {
    func describe(to fingerprint: inout Fingerprint) {
        fingerprint.add(columns)
        fingerprint.add((isUnique ? 1 : 0) | (ignoresCase ? 2 : 0) | (condition == nil ? 0 : 4))
        if let condition { fingerprint.add(condition) }
    }
}

extension Fingerprint {
    mutating func add(_ texts: [String]) {
        add(UInt64(texts.count))
        for text in texts { add(text) }
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
        return hash.hexDigits
    }
}
