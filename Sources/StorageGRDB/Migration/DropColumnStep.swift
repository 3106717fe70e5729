import GRDB

/// Drops a column for good, with what auto-schema made over it.
struct DropColumnStep: MigrationStep {
    static let idPrefix = AutoSchemaStep.idPrefix + "drop:"

    let column: String
    let table: String

    var id: String { DropColumnStep.idPrefix + [table, column].map(\.quotedIdentifier).joined(separator: ".") }
    var bringsModel: Bool { true }

    func describe(to fingerprint: inout Fingerprint) {
        fingerprint.add("drop")
        fingerprint.add(table)
        fingerprint.add(column)
    }

    func check() throws { try table.checkAsTableName() }

    /// Whenever the column is there.
    func isDue(on db: Database, applied: Bool, in run: MigrationContext) throws -> Bool {
        try db.tableSchema(named: table)?.has(column) == true
    }

    func apply(to db: Database, in run: MigrationContext, done: ([MigrationPlan.Operation]) -> Void) throws {
        let recorded = try db.recordedModels()
        let installed = try db.installedTable(named: table)
        for index in installed.indexes {
            guard let sql = index.sql, recorded.has(.index(sql)),
                index.columns?.contains(where: { $0.isSameName(as: column) }) == true || index.condition != nil
            else { continue }
            // A partial index may name the column in its condition, so all partial ones go. The last step makes those again
            // that the model has.
            try db.execute(sql: "DROP INDEX main.\(index.name.quotedIdentifier)")
            try db.forget(.index(sql))
        }
        for reference in installed.references
        where reference.column.isSameName(as: column) && recorded.has(.reference(reference, of: table)) {
            guard let sql = try CreateTableSQL(db.installedTable(named: table).sql)?.applying(.dropReference(reference))
            else {
                throw SchemaConflictError(table: table, columns: [column], reason: .notUnderstood)
            }
            try run.rebuilding(table, on: db) { try TableRebuild(table: table, sql: sql).run(on: db) }
            try db.forget(.reference(reference, of: table))
        }
        try db.dropBrokenFullTextIndex(of: table)
        // The index of a search would keep the column. It is made again over the others.
        let index = try FullTextIndex.inFile(of: table, on: db)
        let others = index?.columns.filter { !$0.isSameName(as: column) } ?? []
        let isIndexed = others.count < index?.columns.count ?? 0
        if isIndexed { try index?.drop(on: db) }
        // One that is not whole is made anew by its own step.
        if index == nil, try db.indexedColumns(of: table).contains(where: { $0.isSameName(as: column) }) {
            try db.dropOwnFullTextIndex(of: table)
        }
        try db.dropColumn(column, of: table)
        try db.forget(.nullable(column, of: table))
        done([.dropColumn(column, table: table)])
        if isIndexed, let index, !others.isEmpty {
            try FullTextIndex(table: table, columns: others, tokenizer: index.tokenizer).build(on: db)
            done([.buildFullTextIndex(table: table, columns: others)])
        }
    }
}
