import GRDB

/// One step of a schema.
protocol MigrationStep: Sendable {
    /// What the database remembers the step by.
    var id: String { get }
    /// Adds all that the step's being due depends on, beside what is in the file.
    func describe(to fingerprint: inout Fingerprint)
    /// Refuses a step that no database could take. Runs before any step does.
    func check() throws
    /// Whether the step has something to do.
    ///
    /// - Parameters:
    ///   - applied: Whether the database has it on record.
    ///   - run: What the run knows.
    func isDue(on db: Database, applied: Bool, in run: MigrationContext) throws -> Bool
    /// Whether it makes tables what the model says, which an older version of the app does not on a file that a newer one has
    /// changed.
    var bringsModel: Bool { get }
    /// Whether it can leave a row that refers to one that is not there. To see that, all references are read before the step and after
    /// it.
    func mayBreakReferences(on db: Database, in run: MigrationContext) throws -> Bool
    /// Does it, and hands over each operation once it is done; those together that are one piece of work, as where a table is made
    /// anew once for several changes.
    func apply(to db: Database, in run: MigrationContext, done: ([MigrationPlan.Operation]) -> Void) throws
}

extension MigrationStep {
    var bringsModel: Bool { false }

    func mayBreakReferences(on db: Database, in run: MigrationContext) -> Bool { true }

    /// Whether there is something to do, or something in its way: a step before may yet see to that, so that only doing it throws.
    func isDueOrInTheWay(_ isDue: () throws -> Bool) throws -> Bool {
        do {
            return try isDue()
        } catch is SchemaConflictError {
            return true
        }
    }
}

/// What all steps of one run share.
struct MigrationContext {
    /// The time that existing rows get in an added date column.
    let now: Date
    /// How JSON columns are written and read.
    let coders: JSONCoders
    /// The tables of the whole schema.
    var model: [TableSchema] = []
    /// Told of what takes long, while it is under way.
    var report: (String) -> Void = { _ in }
    /// Told of how far a step is, and asked whether to go on.
    var progress = StartTeller()
    /// The tables of the file, of which a step reads those alone that were changed since the last one that asked.
    var tables = FoundTables()

    /// Runs what makes a table anew: it is told how far that is.
    func rebuilding<T>(_ table: String, on db: Database, _ body: () throws -> T) throws -> T {
        // Out of the table, and into it again.
        try progress.working(on: table, db, walks: 2, body)
    }
}

/// A migration of the app's own.
struct ManualStep: MigrationStep {
    let id: String
    let skipIfTableExists: String?
    let body: @Sendable (Database) throws -> Void

    func check() throws {
        if id.isEmpty {
            throw StorageError.invalidConfiguration(message: "a migration has an empty id; give it one that stays")
        }
        if id.utf8.contains(0) {
            throw StorageError.invalidConfiguration(
                message: "migration '\(id)' has an id with a NUL in it, where SQLite ends a text; give it another")
        }
        if let table = skipIfTableExists, table.utf8.contains(0) { throw StorageError.invalidTableName(table) }
        if let prefix = ManualStep.reservedPrefixes.first(where: id.hasPrefix) {
            throw StorageError.invalidConfiguration(
                message: "migration '\(id)' has an id of StorageKit's own ('\(prefix)...'); give it another")
        }
    }

    func describe(to fingerprint: inout Fingerprint) {
        fingerprint.add("migration")
        fingerprint.add(id)
    }

    func isDue(on db: Database, applied: Bool, in run: MigrationContext) -> Bool { !applied }

    func apply(to db: Database, in run: MigrationContext, done: ([MigrationPlan.Operation]) -> Void) throws {
        if let table = skipIfTableExists, try db.hasTable(table) {
            return done([.skipMigration(id: id, existingTable: table)])
        }
        try db.keepingOwnObjects(run.tables) { try body(db) }
        done([.runMigration(id: id)])
    }

    /// What the ids of all other steps begin with.
    static let reservedPrefixes = [
        AutoSchemaStep.idPrefix, SchemaRecord.idPrefix, CacheTableStep.idPrefix, FullTextStep.idPrefix,
    ]
}
