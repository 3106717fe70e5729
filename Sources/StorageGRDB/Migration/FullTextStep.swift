import GRDB

/// Makes a full-text index, or makes it anew if the one in the file is another.
struct FullTextStep: MigrationStep {
    static let idPrefix = "storage_fts_v1:"

    let index: FullTextIndex

    var id: String { FullTextStep.idPrefix + index.name }

    func describe(to fingerprint: inout Fingerprint) {
        fingerprint.add("full-text index")
        fingerprint.add(index.table)
        fingerprint.add(index.tokenizer)
        fingerprint.add(index.columns)
    }

    func check() throws { try index.table.checkAsTableName() }

    var bringsModel: Bool { true }

    func isDue(on db: Database, applied: Bool, in run: MigrationContext) throws -> Bool {
        try !applied || !index.isCurrent(on: db)
    }

    func mayBreakReferences(on db: Database, in run: MigrationContext) -> Bool { false }

    func apply(to db: Database, in run: MigrationContext, done: ([MigrationPlan.Operation]) -> Void) throws {
        try index.build(on: db) { rows, total in
            try run.progress.told(rows, of: total, table: index.table)
            // Only what takes long enough to be waited for.
            if total > FullTextIndex.rowsPerChunk {
                run.report("Indexing '\(index.table)' for full-text search: \(rows) of \(total) rows")
            }
        }
        done([.buildFullTextIndex(table: index.table, columns: index.columns)])
    }
}
