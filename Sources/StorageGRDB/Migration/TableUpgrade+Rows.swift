import GRDB

// What the rows say to the upgrade of their table.

extension Database {
    /// The changes without those that would fill a column of the old type with a value of the new one.
    func withoutFillsOfOtherTypes(_ changes: [ClauseChange], _ table: String) throws -> [ClauseChange] {
        let types = changes.flatMap { change -> [String] in
            guard case .type = change else { return [] }
            return change.columns
        }
        return try changes.filter { change in
            guard case .refuseNull(let column) = change, types.contains(where: { $0.isSameName(as: column.name) })
            else { return true }
            return try !hasNulls(column, in: table)
        }
    }

    /// Fills the NULLs of columns that take none any more with what the property has for it.
    func fill(
        _ changes: [ClauseChange], of model: TableModel, in run: MigrationContext,
        _ done: ([MigrationPlan.Operation]) -> Void
    ) throws {
        let table = model.schema.name
        let columns = try changes.compactMap { change -> ColumnSchema? in
            if case .refuseNull(let column) = change, try hasNulls(column, in: table) { column } else { nil }
        }
        for column in columns {
            for record in model.records {
                try fillEmbeddedValues(with: column, of: record, in: run, columns, done)
            }
            guard let column = try fill(column, model.record(of: column.name), in: run) else { continue }
            try fillNulls(of: column, in: table)
            done([.fillColumn(column, table: table)])
        }
    }

    /// Fills the embedded values that are NULL in all their columns, as a whole: some of the columns may go on to take NULL,
    /// and nothing else fills those. A value is left to them that has a column which is about to get another type.
    ///
    /// - Parameters:
    ///   - column: The column that is filled next. An embedded value is filled when its first column comes up, so that its rows are
    ///     counted there.
    ///   - columns: All that are filled one by one. A value that has none of them may be nil.
    ///   - done: Is told of the others that were filled, with their values.
    func fillEmbeddedValues(
        with column: ColumnSchema, of record: AutoTable, in run: MigrationContext, _ columns: [ColumnSchema],
        _ done: ([MigrationPlan.Operation]) -> Void
    ) throws {
        let names = columns.map(\.name)
        for value in record.embeddedDefaults(run.coders)
        where names.first(where: { value[$0] != nil }) == column.name {
            guard try Set(diff(record.schema).retypedColumns).isDisjoint(with: value.keys) else { continue }
            try fillNulls(value, in: record.schema.name)
            guard changesCount > 0 else { continue }
            let others = record.schema.columns.compactMap { other -> ColumnSchema? in
                guard !names.contains(other.name), let literal = value[other.name], literal != "NULL" else {
                    return nil
                }
                return other.withDefault(literal)
            }
            if !others.isEmpty { done(others.map { .fillColumn($0, table: record.schema.name) }) }
        }
    }

    /// The column with what its NULLs become; nil if they stay. One that some model did not know has a value for each row.
    private func fill(_ column: ColumnSchema, _ record: AutoTable, in run: MigrationContext) throws -> ColumnSchema? {
        guard try recordedModels().has(.nullable(column.name, of: record.schema.name)) else {
            return record.filledByDefault(column, in: run)
        }
        return try filledAgain([column], of: record, in: run).first
    }

    /// - Throws: ``SchemaConflictError`` if the table or its rows do not allow the change.
    func checkRows(of model: TableModel, for change: ClauseChange, in run: MigrationContext) throws {
        let table = model.schema.name
        func refuse(_ columns: [String], _ reason: SchemaConflictError.Reason) -> SchemaConflictError {
            SchemaConflictError(table: table, columns: columns, reason: reason)
        }
        func refuseNulls(_ columns: [String]) throws {
            let rows = try count(
                columns.map { "\($0.quotedIdentifier) IS NULL" }.joined(separator: " OR "), in: table)
            if rows > 0 { throw refuse(columns, .nulls(rows: rows)) }
        }
        switch change {
        case .type(let column, let new):
            let rows = try rowsThatDoNotFit(column, new, of: model, in: run)
            if rows > 0 { throw refuse([column.name], .values(type: new.type, rows: rows)) }
            // The key of integers would number them.
            if column.primaryKey, new.type.uppercased() == ColumnType.integer.rawValue {
                try refuseNulls([column.name])
            }
        case .refuseNull(let column): try refuseNulls([column.name])
        case .allowNullOfUnknown(let column):
            guard try isFromModel(column, of: table) else {
                throw refuse([column.name], .unknownColumn)
            }
        case .addReference(let reference):
            let column = reference.column.quotedIdentifier
            let rows = try count(
                """
                \(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.\(reference.table.quotedIdentifier) AS parent
                WHERE parent.\(reference.key.quotedIdentifier) = child.\(column))
                """, in: table)
            if rows > 0 { throw refuse([reference.column], .brokenReferences(to: reference.table, rows: rows)) }
        case .key(let columns, _):
            try refuseNulls(columns)
            let rows = try duplicates(of: IndexSchema(columns), in: table)
            if rows > 0 { throw refuse(columns, .duplicates(rows: rows)) }
        case .allowNull, .changeDefault, .dropReference: break
        }
    }

    /// How many rows of a table, which the condition may call `child`, meet it.
    func count(_ condition: String, in table: String) throws -> Int {
        let sql = "SELECT count(*) FROM main.\(table.quotedIdentifier) AS child WHERE \(condition)"
        return try Int.fetchOne(self, sql: sql) ?? 0
    }

    /// Whether some version of the app has had the column in its model. Of the models of earlier versions of StorageKit the
    /// file has fingerprints only; there the words tell in which auto-schema makes a column.
    private func isFromModel(_ column: ColumnSchema, of table: String) throws -> Bool {
        let models = try recordedModels()
        if models.required.contains([table, column.name].map(SQLName.init)) { return true }
        let text = try CreateTableSQL(installedTable(named: table).sql)
        guard models.hasUnknownModels, let text, text.declares(column) else { return false }
        // In a table that auto-schema did not make, this column was added, which takes a default.
        let saved = try tableSchema(named: table)?.column(named: "updatedAt")
        return saved?.defaultValue == nil
    }
}
