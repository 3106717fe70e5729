import GRDB

/// Creates the table of the disk cache, with the indexes that eviction walks along.
struct CacheTableStep: MigrationStep {
    static let idPrefix = "storage_kv_cache_v1:"

    let table: String

    var id: String { CacheTableStep.idPrefix + table }

    func describe(to fingerprint: inout Fingerprint) {
        fingerprint.add("cache table")
        fingerprint.add(table)
    }

    func check() throws { try table.checkAsTableName() }

    func isDue(on db: Database, applied: Bool, in run: MigrationContext) throws -> Bool {
        try !applied || !db.hasTable(table)
    }

    func mayBreakReferences(on db: Database, in run: MigrationContext) -> Bool { false }

    func apply(to db: Database, in run: MigrationContext, done: ([MigrationPlan.Operation]) -> Void) throws {
        try db.create(table: table, options: .ifNotExists) { t in
            t.column("key", .text).primaryKey()
            t.column("blob", .blob).notNull()
            t.column("updatedAt", .datetime).notNull()
            t.column("expiresAt", .datetime)
            t.column("size", .integer).notNull().defaults(to: 0)
        }
        for column in ["expiresAt", "updatedAt"] { try makeIndex(over: column, on: db) }
        done([.createCacheTable(table)])
    }

    private func makeIndex(over column: String, on db: Database) throws {
        let index = IndexSchema([column])
        if try db.installedTable(named: table).indexes.contains(where: { $0.isSame(as: index) }) { return }
        let name = index.name(on: table)
        if try db.hasObject(named: name) {
            // It gets another name, as an index of an entity does.
            try index.create(on: table, in: db)
        } else {
            // Word for word as earlier versions made it: that a schema changed is told by the text of its indexes.
            try db.execute(
                sql: "CREATE INDEX main.\(name.quotedIdentifier) ON "
                    + "\(table.quotedIdentifier)(\(column.quotedIdentifier))")
        }
    }
}
