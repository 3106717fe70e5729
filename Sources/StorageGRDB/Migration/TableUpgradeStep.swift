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

    /// The columns that differ from the model and that auto-schema leaves. Of two records of one table each may have columns that the
    /// other does not know; where both have one, each is compared.
    func differences(on db: Database) throws -> [SchemaDifference] {
        try models.flatMap { model in
            let found = try db.diff(model.schema).differences
            let others = try model.records.dropFirst().flatMap { try db.diff($0.schema).differences }
            return found + others.filter { $0.kind != .columnNotInModel && !found.contains($0) }
        }
    }

    /// Whether it may be due though neither the schema nor the file's has changed: a column that it may have to fill can get a
    /// NULL at any time, from a version of the app that does not know it, and a key gets its type once no id is of bytes any more.
    ///
    /// - Parameter differences: What differs from the model.
    func dependsOnRows(_ differences: [SchemaDifference], _ db: Database) throws -> Bool {
        let recorded = try db.recordedModels()
        let hasOtherKey = differences.contains { $0.kind == .type && $0.file.primaryKey }
        return try hasOtherKey && !recorded.isOlder(fingerprint)
            || !db.columnsThatWereUnknown(in: models, recorded).isEmpty
    }

    func isDue(on db: Database, applied: Bool, in run: MigrationContext) throws -> Bool {
        let recorded = try db.recordedModels()
        if recorded.isOlder(fingerprint) {
            try db.checkAsOlder(models)
        } else {
            let isDue = try isDueOrInTheWay {
                try models.contains { try !db.upgrade(to: $0, recorded).isEmpty }
            }
            if isDue { return true }
        }
        return try !db.columnsToFill(in: models, recorded).isEmpty
    }

    /// Whether a step has to wait until this one has given a table its key: a full-text index knows the rows by it, and a column
    /// that is still the key cannot be dropped.
    func mustWait(_ step: any MigrationStep, on db: Database) throws -> Bool {
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
    func makesUnique(_ table: String, on db: Database) throws -> Bool {
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
        } || !db.columnsToFill(in: models, recorded).isEmpty
    }

    func apply(to db: Database, in run: MigrationContext, done: ([MigrationPlan.Operation]) -> Void) throws {
        let recorded = try db.recordedModels()
        for (table, columns) in try db.columnsToFill(in: models, recorded) {
            for column in try db.filledAgain(columns, of: table, in: run) {
                try db.fillEmbeddedValues(with: column, of: table, in: run, columns, done)
                try db.fillNulls(of: column, in: table.schema.name)
                done([.fillColumn(column, table: table.schema.name)])
            }
        }
        if recorded.isOlder(fingerprint) { return }
        // What is done to one table changes nothing that is on record of another.
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
    func duplicates(of index: IndexSchema, in table: String) throws -> Int {
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
