import GRDB

/// Sees to it that rows can be saved though a table has columns that the model does not know: those of a property that is
/// gone, or of a newer version of the app.
///
/// The documents declare the columns of a new table NOT NULL, without default. So it cannot be avoided when a table is made,
/// and is mended by the first start whose model does not know such a column: it takes NULL from then on. It runs behind all
/// other steps, since one of them may see to the column itself.
struct UnknownColumnsStep: MigrationStep {
    let id = AutoSchemaStep.idPrefix + "unknown_columns"
    let schema: AppMigrations

    /// Nothing that the steps before it do not add.
    func describe(to fingerprint: inout Fingerprint) {}

    func check() {}

    /// Whether it may be due though neither the schema nor the file's has changed: a column that it may have to fill can get a
    /// NULL at any time, from a version of the app that does not know it.
    func dependsOnRows(_ db: Database) throws -> Bool {
        try !db.columnsThatWereUnknown(schema.differences(on: db), in: schema.autoSchemaTables).isEmpty
    }

    func isDue(on db: Database, applied: Bool) throws -> Bool {
        let differences = try schema.differences(on: db)
        return try differences.contains(where: \.preventsInserts)
            || !db.columnsToFill(differences, in: schema.autoSchemaTables).isEmpty
    }

    func apply(to db: Database, in run: MigrationContext, done: (MigrationPlan.Operation) -> Void) throws {
        let differences = try schema.differences(on: db)
        let unknown = differences.filter(\.preventsInserts)
        for table in schema.autoSchemaTables.map(\.schema.name) {
            let columns = unknown.filter { $0.table == table }.map(\.file)
            guard !columns.isEmpty,
                try run.rebuilding(table, on: db, { try db.allowNull(in: columns, of: table) })
            else { continue }
            for column in columns { done(.makeNullable(column: column.name, table: table)) }
        }
        for (table, columns) in try db.columnsToFill(differences, in: schema.autoSchemaTables) {
            for column in try db.filled(columns, of: table, in: run) {
                try db.fillNulls(of: column, in: table.schema.name)
                done(.fillColumn(column, table: table.schema.name))
            }
        }
    }
}

// MARK: - Columns that the model does not know

extension Database {
    /// - Returns: Whether it was to be done; a table may have two records.
    fileprivate func allowNull(in unknown: [ColumnSchema], of table: String) throws -> Bool {
        guard let found = try tableSchema(named: table) else { return false }
        let columns = unknown.filter { found.columns.contains($0) }
        guard !columns.isEmpty else { return false }
        let text = "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE"
        var sql = try String.fetchOne(self, sql: text, arguments: [table]) ?? ""
        for column in columns {
            let created = CreateTableSQL(sql)
            guard try isFromModel(column, of: table, created) else {
                throw UnknownColumnError(table: table, column: column.name, reason: .isInNoModel)
            }
            guard let changed = created?.allowingNull(in: column.name) else {
                throw UnknownColumnError(table: table, column: column.name, reason: .isNotUnderstood)
            }
            sql = changed
        }
        try TableRebuild(table: table, sql: sql).run(on: self)
        guard try tableSchema(named: table) == found.allowingNull(in: columns) else {
            throw UnknownColumnError(table: table, column: columns[0].name, reason: .isNotUnderstood)
        }
        for column in columns { try recordNullable(column.name, of: table) }
        return true
    }

    /// Whether some version of the app has had the column in its model. Of the models of earlier versions of StorageKit the
    /// file has fingerprints only; there the words tell in which auto-schema makes a column.
    private func isFromModel(_ column: ColumnSchema, of table: String, _ text: CreateTableSQL?) throws -> Bool {
        let models = try recordedModels()
        if models.require(column.name, of: table) { return true }
        guard models.hasUnknownModels, let text, text.declares(column) else { return false }
        // In a table that auto-schema did not make, this column was added, which takes a default.
        let saved = try tableSchema(named: table)?.column(named: "updatedAt")
        return saved?.defaultValue == nil
    }
}

extension TableSchema {
    fileprivate func allowingNull(in unknown: [ColumnSchema]) -> TableSchema {
        TableSchema(
            name: name,
            columns: columns.map { unknown.contains($0) ? ColumnSchema(name: $0.name, type: $0.type) : $0 })
    }
}

// MARK: - Columns that the model knows again

extension Database {
    /// Those that have NULLs.
    fileprivate func columnsToFill(
        _ differences: [SchemaDifference], in tables: [AutoTable]
    ) throws -> [(AutoTable, [ColumnSchema])] {
        try columnsThatWereUnknown(differences, in: tables).compactMap { table, columns in
            let columns = try columns.filter { try hasNulls($0, in: table.schema.name) }
            return columns.isEmpty ? nil : (table, columns)
        }
    }

    /// The columns that take NULL only because some model did not know them, and that this one knows.
    fileprivate func columnsThatWereUnknown(
        _ differences: [SchemaDifference], in tables: [AutoTable]
    ) throws -> [(AutoTable, [ColumnSchema])] {
        let returned = differences.filter { $0.kind == .nullability && $0.model?.notNull == true }
        guard !returned.isEmpty else { return [] }
        let models = try recordedModels()
        return tables.compactMap { table in
            let name = table.schema.name
            let columns = table.schema.columns.filter { column in
                returned.contains { $0.table == name && $0.model == column }
                    && models.madeNullable(column.name, of: name)
            }
            return columns.isEmpty ? nil : (table, columns)
        }
    }

    private func hasNulls(_ column: ColumnSchema, in table: String) throws -> Bool {
        let (table, column) = (table.quotedIdentifier, column.name.quotedIdentifier)
        return try Bool.fetchOne(self, sql: "SELECT EXISTS (SELECT 1 FROM main.\(table) WHERE \(column) IS NULL)")
            == true
    }

    fileprivate func fillNulls(of column: ColumnSchema, in table: String) throws {
        guard let value = column.defaultValue else { return }
        let name = column.name.quotedIdentifier
        try execute(sql: "UPDATE main.\(table.quotedIdentifier) SET \(name) = \(value) WHERE \(name) IS NULL")
    }
}

// MARK: -

/// A table has a column that the model does not know, takes no NULL and has no default: no row could be saved.
public struct UnknownColumnError: Error, Sendable, Equatable {
    /// Why the start does not let the column take NULL.
    public enum Reason: Sendable, Equatable {
        /// No model that started on the file has had the column: it was made by hand.
        case isInNoModel
        /// The SQL of the table is not understood.
        case isNotUnderstood
    }

    /// The table.
    public let table: String
    /// The column.
    public let column: String
    /// Why the start does not let the column take NULL.
    public let reason: Reason
}

extension UnknownColumnError: LocalizedError {
    /// The column and what to do.
    public var errorDescription: String? {
        let problem =
            "table '\(table)' has a column '\(column)' that the model does not know, takes no NULL and has no default, so that "
            + "no row could be saved"
        let why =
            switch reason {
            case .isInNoModel: "No version of the app has had it in its model"
            case .isNotUnderstood: "The SQL of the table is not understood"
            }
        return "\(problem). \(why): add a property for it, or drop it or give it a default in a migration"
    }
}
