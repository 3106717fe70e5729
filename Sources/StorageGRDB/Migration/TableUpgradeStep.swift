import GRDB

/// Brings the tables to the model where no new column or name does it, behind all other steps: what a migration of the app's
/// fills, converts or drops is then as it should be.
///
/// Types, NOT NULL, keys and references are changed by making the table anew; then come indexes and unique keys.
///
/// It sees to it, too, that rows can be saved though a table has columns that the model does not know: those of a property that
/// is gone. The documents declare the columns of a new table NOT NULL, without default. So it cannot be avoided when a table
/// is made, and is mended by the first start whose model does not know such a column: it takes NULL from then on.
///
/// An older version of the app leaves all that as it is.
struct TableUpgradeStep: MigrationStep {
    let id = AutoSchemaStep.idPrefix + "upgrade"
    let schema: AppMigrations
    /// The tables of the schema, as all their records have them.
    let models: [TableModel]
    /// What the file remembers the model by.
    let fingerprint: String

    init(schema: AppMigrations) {
        self.schema = schema
        models = schema.tableModels
        fingerprint = schema.modelFingerprint
    }

    /// Nothing that the steps before it do not add.
    func describe(to fingerprint: inout Fingerprint) {}

    func check() {}

    /// Whether it may be due though neither the schema nor the file's has changed: a column that it may have to fill can get a
    /// NULL at any time, from a version of the app that does not know it.
    ///
    /// - Parameter differences: What the file has otherwise than the model.
    func dependsOnRows(_ differences: [SchemaDifference], _ db: Database) throws -> Bool {
        try !db.columnsThatWereUnknown(differences, in: schema.autoSchemaTables).isEmpty
    }

    func isDue(on db: Database, applied: Bool, in run: MigrationContext) throws -> Bool {
        let migrations = try db.recordedMigrations()
        if StartedModels(migrations).isOlder(fingerprint) {
            try db.checkAsOlder(models)
        } else {
            let recorded = RecordedModels(migrations)
            let isDue = try isDueOrInTheWay {
                try models.contains { try !db.upgrade(to: $0, recorded).isEmpty }
            }
            if isDue { return true }
        }
        return try !columnsToFill(on: db).isEmpty
    }

    /// Whether a step has to wait until this one has given a table its key: a full-text index knows the rows by it, and a column
    /// that is still the key cannot be dropped.
    func makesKey(for step: any MigrationStep, on db: Database) throws -> Bool {
        switch step {
        case let step as FullTextStep: try changesKey(of: step.index.table, on: db)
        case let step as DropColumnStep:
            try changesKey(of: step.table, on: db)
                && db.primaryKey(of: step.table).contains { $0.isSameName(as: step.column) }
        default: false
        }
    }

    private func changesKey(of table: String, on db: Database) throws -> Bool {
        guard try db.hasTable(table), let model = model(of: table) else { return false }
        return try db.changes(to: model.schema, db.installedTable(named: table)).contains(where: \.isKey)
    }

    /// Whether it gives a table a key, or a unique one, by which others may refer to its rows.
    func makesKey(of table: String, on db: Database) throws -> Bool {
        guard let model = model(of: table) else { return false }
        return try isDueOrInTheWay {
            let upgrade = try db.upgrade(to: model, db.recordedModels())
            return upgrade.changes.contains(where: \.isKey) || upgrade.missingIndexes.contains(where: \.isUnique)
        }
    }

    private func model(of table: String) -> TableModel? {
        models.first { $0.schema.name.isSameName(as: table) }
    }

    /// An index alone breaks none, unless a reference is by its columns.
    func mayBreakReferences(on db: Database, in run: MigrationContext) throws -> Bool {
        let recorded = try db.recordedModels()
        return try models.contains { model in
            let upgrade = try db.upgrade(to: model, recorded)
            return !upgrade.changes.isEmpty || !upgrade.staleIndexes.isEmpty
                || upgrade.missingIndexes.contains(where: \.isUnique)
        } || !columnsToFill(on: db).isEmpty
    }

    private func columnsToFill(on db: Database) throws -> [(AutoTable, [ColumnSchema])] {
        try db.columnsToFill(schema.differences(on: db), in: schema.autoSchemaTables)
    }

    func apply(to db: Database, in run: MigrationContext, done: ([MigrationPlan.Operation]) -> Void) throws {
        for (table, columns) in try columnsToFill(on: db) {
            for column in try db.filled(columns, of: table, in: run) {
                try db.fillEmbeddedValues(with: column, of: table, in: run, columns, done)
                try db.fillNulls(of: column, in: table.schema.name)
                done([.fillColumn(column, table: table.schema.name)])
            }
        }
        let migrations = try db.recordedMigrations()
        if StartedModels(migrations).isOlder(fingerprint) { return }
        // What is done to one table changes nothing that is on record of another.
        let recorded = RecordedModels(migrations)
        for model in models { try remake(model, recorded, on: db, in: run, done) }
        let recordedNow = try db.recordedModels()
        for model in models {
            for index in try db.upgrade(to: model, recordedNow).missingIndexes {
                try run.progress.working(on: model.schema.name, db) { try db.make(index, of: model.schema) }
                done([.createIndex(index, table: model.schema.name)])
            }
        }
    }

    /// What it would make if the model were the newest on the file.
    func omitted(on db: Database) throws -> [MigrationPlan.Operation] {
        let recorded = try db.recordedModels()
        let upgrades = models.flatMap { model -> [MigrationPlan.Operation] in
            // What stands in the way of the newest model is none of an older one's business.
            guard let upgrade = try? db.upgrade(to: model, recorded) else { return [] }
            let table = model.schema.name
            let references = upgrade.changes.compactMap { change -> MigrationPlan.Operation? in
                if case .addReference(let reference) = change { .addReference(reference, table: table) } else { nil }
            }
            return references + upgrade.missingIndexes.map { .createIndex($0, table: table) }
        }
        let searched = schema.steps.compactMap { ($0 as? FullTextStep)?.index }
        return upgrades
            + searched.filter { (try? $0.isCurrent(on: db)) == false }
            .map { .buildFullTextIndex(table: $0.table, columns: $0.columns) }
    }

    private func remake(
        _ model: TableModel, _ recorded: RecordedModels, on db: Database, in run: MigrationContext,
        _ done: ([MigrationPlan.Operation]) -> Void
    ) throws {
        let table = model.schema.name
        let upgrade = try db.upgrade(to: model, recorded)
        for (name, sql) in upgrade.staleIndexes {
            try db.execute(sql: "DROP INDEX main.\(name.quotedIdentifier)")
            try db.forget(.index(sql))
            done([.dropIndex(name, table: table)])
        }
        var changes = upgrade.changes
        let index = changes.isEmpty ? nil : try FullTextIndex.inFile(of: table, on: db)
        // A column that is no longer the key may have to refuse NULL, which the file tells only then, and one of another type is
        // filled only then.
        for _ in 0..<2 where !changes.isEmpty {
            changes = try db.withoutFillsOfOtherTypes(changes, table)
            try db.fill(changes, of: model, in: run, done)
            try run.rebuilding(table, on: db) { try db.remake(model, changes, in: run) }
            // It has the texts of the values that there were: 1984, where a number with a fraction is 1984.0.
            if let index, changes.contains(where: { $0.changesType(ofOneOf: index.columns) }) { try index.drop(on: db) }
            done(changes.map { $0.operation(table: table) })
            changes = try db.upgrade(to: model, db.recordedModels()).changes.filter { !isOfDroppedColumn($0, table) }
        }
        if let change = changes.first {
            throw SchemaConflictError(table: table, columns: change.columns, reason: .notUnderstood)
        }
        // It knows the rows by their key. One that the schema declares is made anew by its own step.
        if let index, !schema.declaresFullTextSearch(of: table), try !index.isCurrent(on: db) {
            try index.build(on: db)
            done([.buildFullTextIndex(table: table, columns: index.columns)])
        }
    }

    /// Whether it lets the former key take NULL, though a step is about to drop that column.
    private func isOfDroppedColumn(_ change: ClauseChange, _ table: String) -> Bool {
        guard case .allowNullOfUnknown(let column) = change else { return false }
        return schema.steps.contains { step in
            guard let step = step as? DropColumnStep else { return false }
            return step.table.isSameName(as: table) && step.column.isSameName(as: column.name)
        }
    }
}

extension AppMigrations {
    fileprivate func declaresFullTextSearch(of table: String) -> Bool {
        steps.contains { ($0 as? FullTextStep)?.index.table.isSameName(as: table) == true }
    }
}

// MARK: - Indexes

extension Database {
    fileprivate func make(_ index: IndexSchema, of table: TableSchema) throws {
        do {
            try record(.index(index.create(on: table.name, in: self)))
        } catch let error as DatabaseError where index.isUnique && error.resultCode == .SQLITE_CONSTRAINT {
            let rows = try duplicates(of: index, in: table.name)
            throw SchemaConflictError(table: table.name, columns: index.columns, reason: .duplicates(rows: rows))
        }
    }

    /// How many rows have values that another row has too.
    fileprivate func duplicates(of index: IndexSchema, in table: String) throws -> Int {
        let columns = index.columns.map { $0.quotedIdentifier + (index.ignoresCase ? " COLLATE NOCASE" : "") }
        let conditions =
            index.columns.map { "\($0.quotedIdentifier) IS NOT NULL" } + (index.condition.map { ["(\($0))"] } ?? [])
        let sql = """
            SELECT sum(number) FROM (SELECT count(*) AS number FROM main.\(table.quotedIdentifier)
            WHERE \(conditions.joined(separator: " AND ")) GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1)
            """
        return try Int.fetchOne(self, sql: sql) ?? 0
    }
}

// MARK: - Making a table anew

extension Database {
    fileprivate func remake(_ model: TableModel, _ changes: [ClauseChange], in run: MigrationContext) throws {
        let table = model.schema.name
        var sql = try installedTable(named: table).sql
        for change in changes {
            try checkRows(of: model, for: change, in: run)
            guard let changed = CreateTableSQL(sql)?.applying(change) else {
                throw SchemaConflictError(table: table, columns: change.columns, reason: .notUnderstood)
            }
            sql = changed
        }
        let before = try tableSchema(named: table)
        try TableRebuild(table: table, sql: sql).run(on: self)
        var changed = Set(changes.flatMap(\.columns).map(SQLName.init))
        let defaults = changes.filter { if case .changeDefault = $0 { true } else { false } }.flatMap(\.columns)
        // In a table WITHOUT ROWID the columns of the key refuse NULL without saying so.
        if changes.contains(where: \.isKey), let before {
            changed.formUnion(before.keyColumns.map(SQLName.init))
        }
        guard
            try tableSchema(named: table)?.leavingOut(changed, defaultsOf: defaults)
                == before?.leavingOut(changed, defaultsOf: defaults)
        else {
            throw SchemaConflictError(table: table, columns: changes[0].columns, reason: .notUnderstood)
        }
        for change in changes { try record(change, of: table) }
    }

    private func record(_ change: ClauseChange, of table: String) throws {
        switch change {
        case .allowNullOfUnknown(let column): try record(.nullable(column.name, of: table))
        case .refuseNull(let column): try forget(.nullable(column.name, of: table))
        case .addReference(let reference): try record(.reference(reference, of: table))
        case .dropReference(let reference): try forget(.reference(reference, of: table))
        case .type, .allowNull, .changeDefault, .key: break
        }
    }
}

extension TableSchema {
    /// The names of all columns, and the others but for a key as they are: which columns are the key is for the changes to say.
    fileprivate func leavingOut(_ changed: Set<SQLName>, defaultsOf others: [String]) -> [ColumnSchema] {
        columns.map { column in
            let isChanged = changed.contains(SQLName(column.name))
            return ColumnSchema(
                name: column.name, type: isChanged ? "" : column.type, notNull: !isChanged && column.notNull,
                defaultValue: others.contains { $0.isSameName(as: column.name) } ? nil : column.defaultValue)
        }
    }
}

// MARK: - What the rows say to it

extension Database {
    /// The changes without those that would fill a column of the old type with a value of the new one.
    fileprivate func withoutFillsOfOtherTypes(_ changes: [ClauseChange], _ table: String) throws -> [ClauseChange] {
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
    fileprivate func fill(
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
    ///   - column: The one that is filled next. Only the values of which it is the first are filled: where all their columns are filled
    ///     one by one, this one is told of next, and the rows are counted as its own.
    ///   - columns: All that are filled one by one. A value that has none of them may be nil.
    ///   - done: Is told of the others that were filled, with their values.
    fileprivate func fillEmbeddedValues(
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
        return try filled([column], of: record, in: run).first
    }

    /// - Throws: ``SchemaConflictError`` if the table or its rows do not allow the change.
    private func checkRows(of model: TableModel, for change: ClauseChange, in run: MigrationContext) throws {
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

    private func count(_ condition: String, in table: String) throws -> Int {
        let sql = "SELECT count(*) FROM main.\(table.quotedIdentifier) AS child WHERE \(condition)"
        return try Int.fetchOne(self, sql: sql) ?? 0
    }

    /// Whether some version of the app has had the column in its model. Of the models of earlier versions of StorageKit the
    /// file has fingerprints only; there the words tell in which auto-schema makes a column.
    private func isFromModel(_ column: ColumnSchema, of table: String) throws -> Bool {
        let models = try recordedModels()
        if models.require(column.name, of: table) { return true }
        let text = try CreateTableSQL(installedTable(named: table).sql)
        guard models.hasUnknownModels, let text, text.declares(column) else { return false }
        // In a table that auto-schema did not make, this column was added, which takes a default.
        let saved = try tableSchema(named: table)?.column(named: "updatedAt")
        return saved?.defaultValue == nil
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

    /// The columns that take NULL only because some model did not know them, and that this one knows. One that has got another
    /// type is filled when it has it.
    fileprivate func columnsThatWereUnknown(
        _ differences: [SchemaDifference], in tables: [AutoTable]
    ) throws -> [(AutoTable, [ColumnSchema])] {
        let returned = differences.filter { difference in
            difference.kind == .nullability && difference.model?.notNull == true
                && !differences.contains {
                    $0.kind == .type && $0.table == difference.table && $0.model?.name == difference.model?.name
                }
        }
        guard !returned.isEmpty else { return [] }
        let models = try recordedModels()
        return tables.compactMap { table in
            let name = table.schema.name
            let columns = table.schema.columns.filter { column in
                column.notNull && returned.contains { $0.table == name && $0.model?.name == column.name }
                    && models.has(.nullable(column.name, of: name))
            }
            return columns.isEmpty ? nil : (table, columns)
        }
    }

    fileprivate func hasNulls(_ column: ColumnSchema, in table: String) throws -> Bool {
        try hasRow(in: table, where: "\(column.name.quotedIdentifier) IS NULL")
    }

    fileprivate func fillNulls(of column: ColumnSchema, in table: String) throws {
        if let value = column.defaultValue { try fillNulls([column.name: value], in: table) }
    }

    /// Fills the rows that have NULL in all of some columns.
    ///
    /// - Parameter values: What each column becomes, as SQL writes it.
    private func fillNulls(_ values: [String: String], in table: String) throws {
        let settings = values.map { "\($0.key.quotedIdentifier) = \($0.value)" }.joined(separator: ", ")
        let areNull = values.keys.map { "\($0.quotedIdentifier) IS NULL" }.joined(separator: " AND ")
        do {
            try execute(sql: "UPDATE main.\(table.quotedIdentifier) SET \(settings) WHERE \(areNull)")
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
            // One default for several rows, in a column of a unique key.
            throw SchemaConflictError(
                table: table, columns: values.keys.sorted(), reason: .nulls(rows: try count(areNull, in: table)))
        }
    }
}
