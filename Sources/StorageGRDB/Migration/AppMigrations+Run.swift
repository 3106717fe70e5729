public import GRDB

extension AppMigrations {
    /// Brings a database to this schema. `StorageKit.start` does it for you.
    ///
    /// - Parameters:
    ///   - writer: A GRDB pool or queue.
    ///   - clock: The time that existing rows get in an added date column.
    /// - Throws: ``StorageError/migrationFailed(id:underlying:)`` with the database as it was before that
    ///   migration; ``StorageError/invalidConfiguration(message:)`` if one id stands for two migrations, or
    ///   a record has columns that no table can have; ``StorageError/invalidTableName(_:)`` for a table that cannot be. Nothing has run in the last two cases.
    public func run(on writer: some DatabaseWriter, clock: some Clock = SystemClock()) throws {
        try checkIds()
        if let problem = problems.first { throw StorageError.invalidConfiguration(message: problem) }
        try steps.flatMap(\.tableNames).forEach { try $0.checkAsTableName() }
        for step in steps {
            let id = step.id
            do {
                try writer.writeWithoutTransaction { db in
                    try run(step, id: id, on: db, now: clock.now)
                }
            } catch {
                throw StorageError.migrationFailed(id: id, underlying: error)
            }
        }
    }

    private func checkIds() throws {
        var seen: Set<String> = []
        for case .manual(let id, _, _) in steps where !seen.insert(id).inserted {
            throw StorageError.invalidConfiguration(
                message: "two migrations have the id '\(id)'; each needs an id of its own")
        }
    }

    private func run(_ step: MigrationStep, id: String, on db: Database, now: Date) throws {
        guard try step.isDue(on: db, applied: db.isMigrationApplied(id)) else { return }
        var log: [String] = []
        // A migration may rebuild a table by dropping it, which must not cascade. Foreign keys can be switched
        // outside a transaction only; what was broken meanwhile is found before the commit.
        try db.withForeignKeys(off: step.isManual) { checkForeignKeys in
            try db.inTransaction(.immediate) {
                // Asked again under the write lock: another process may have been faster.
                let applied = try db.isMigrationApplied(id)
                guard try step.isDue(on: db, applied: applied) else { return .commit }
                try step.apply(to: db, now: now) { log.append($0) }
                try checkForeignKeys()
                try db.recordMigration(id)
                log.append("Applied \(id)")
                return .commit
            }
        }
        log.forEach { options.logger?($0) }
    }
}

extension MigrationStep {
    /// What the database remembers the step by.
    var id: String {
        switch self {
        case .kvCache(let table): "storage_kv_cache_v1:\(table)"
        case .autoSchema(let tables): "auto_schema_\(tables.fingerprint)"
        case .manual(let id, _, _): id
        }
    }

    /// The tables that the step itself makes.
    var tableNames: [String] {
        switch self {
        case .kvCache(let table): [table]
        case .autoSchema(let tables): tables.map(\.name)
        case .manual: []
        }
    }

    var isManual: Bool {
        if case .manual = self { true } else { false }
    }

    /// Whether the step has something to do. Auto-schema trusts the tables and not the record of what was
    /// once applied.
    func isDue(on db: Database, applied: Bool) throws -> Bool {
        switch self {
        case .kvCache(let table): try !applied || !db.tableExists(table)
        case .autoSchema(let tables): try !applied || tables.contains { try !db.lacking($0).isEmpty }
        case .manual: !applied
        }
    }

    func apply(to db: Database, now: Date, log: (String) -> Void) throws {
        switch self {
        case .kvCache(let table): try db.createKVCache(table: table)
        case .autoSchema(let tables):
            for table in tables {
                try db.bringUpToDate(table, now: now, log: log)
            }
        case .manual(_, let table, let body):
            if let table, try db.tableExists(table) { return }
            try body(db)
        }
    }
}

extension Database {
    /// The table that GRDB's own migrator keeps too, so that an app can move from one to the other.
    private static let migrationsTable = "grdb_migrations"

    fileprivate func isMigrationApplied(_ id: String) throws -> Bool {
        guard try tableExists(Database.migrationsTable) else { return false }
        return try Bool.fetchOne(
            self, sql: "SELECT EXISTS (SELECT 1 FROM \(Database.migrationsTable) WHERE identifier = ?)",
            arguments: [id]) ?? false
    }

    fileprivate func recordMigration(_ id: String) throws {
        try execute(
            sql: "CREATE TABLE IF NOT EXISTS \(Database.migrationsTable) (identifier TEXT NOT NULL PRIMARY KEY)")
        try execute(sql: "INSERT OR IGNORE INTO \(Database.migrationsTable) VALUES (?)", arguments: [id])
    }

    /// Runs a transaction with foreign keys off where asked, and puts the switch back. `body` calls what it is
    /// given before it commits.
    fileprivate func withForeignKeys(off: Bool, _ body: (_ check: () throws -> Void) throws -> Void) throws {
        let enforced = try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") ?? false
        guard off, enforced else { return try body {} }
        try execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? execute(sql: "PRAGMA foreign_keys = ON") }
        try body { try checkForeignKeys() }
    }
}
