public import GRDB

/// The schema of a store, as a list of steps that `StorageKit.start` runs in order.
///
/// ```swift
/// let context = try StorageKit.start { schema in
///     schema.autoSchema(UserRecord.self, PostRecord.self)
///     schema.migration("2026-01-15_lowercase_email") { db in
///         try db.execute(sql: "UPDATE users SET email = lower(email)")
///     }
/// }
/// ```
///
/// The steps that are due run in one transaction, and are recorded in the table `grdb_migrations`: a start either
/// brings the file to this schema or leaves it as it was.
public struct AppMigrations: Sendable {
    /// How the steps are run.
    public struct Options: Sendable {
        /// For development only: drops everything in the file, all data included, when a start finds that the
        /// tables are other than this schema makes them in an empty file: the model has changed, or a migration
        /// that had run already. A new table, index or migration is no such change, and erases nothing, unless the model
        /// cannot be made without that migration and it changes a table that is there, or makes an index or a trigger of
        /// it. Dropping and making anew is one transaction. Default values, checks and collations are not compared.
        public var eraseDatabaseOnSchemaChange: Bool
        /// Called with one line for each thing done (a migration applied, a table created, a column added), after
        /// all of it is committed, and with a line that begins with `Warning:` for each ``SchemaDifference`` that
        /// the start left. Only how far the making of a long full-text index is, is told while it is under way.
        public var logger: (@Sendable (String) -> Void)?
        /// Whether a start throws if the file has had migrations that this schema does not describe, since a newer
        /// version of the app has migrated it further. Without it they are a warning, and the file is used as it is.
        public var refusesUnknownMigrations: Bool

        /// Creates options.
        ///
        /// - Parameters:
        ///   - eraseDatabaseOnSchemaChange: Whether a change of the schema erases all data. For development only.
        ///   - logger: Called with one line for each thing done.
        ///   - refusesUnknownMigrations: Whether a start throws if a newer version of the app has migrated the file
        ///     further.
        public init(
            eraseDatabaseOnSchemaChange: Bool = false,
            logger: (@Sendable (String) -> Void)? = nil,
            refusesUnknownMigrations: Bool = false
        ) {
            self.eraseDatabaseOnSchemaChange = eraseDatabaseOnSchemaChange
            self.logger = logger
            self.refusesUnknownMigrations = refusesUnknownMigrations
        }

        /// The same without the last, as a function value.
        @_disfavoredOverload
        public init(eraseDatabaseOnSchemaChange: Bool, logger: (@Sendable (String) -> Void)?) {
            self.init(
                eraseDatabaseOnSchemaChange: eraseDatabaseOnSchemaChange, logger: logger,
                refusesUnknownMigrations: false)
        }
    }

    package var options = Options()
    var steps: [any MigrationStep] = []
    /// Those that are declared beside the records.
    var indexes: [DeclaredIndex] = []
    /// What is wrong with what was described. Describing cannot throw; running does.
    var problems: [String] = []

    /// Creates an empty list of steps.
    public init() {}

    /// Sets how the steps are run.
    ///
    /// - Parameter options: The options, which replace those set before.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func setOptions(_ options: Options) -> Self {
        self.options = options
        return self
    }

    /// Adds the table of the disk cache. Calling it twice is harmless.
    ///
    /// - Parameter tableName: The name of the table.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func addKVCache(tableName: String = "kv_cache") -> Self {
        add(CacheTableStep(table: tableName))
    }

    /// Brings the tables of the records to the model: creates them, gives them and their columns new names, adds the columns that
    /// an existing table lacks, and, behind all other steps, changes types, `NOT NULL`, keys, references and indexes. No value is
    /// dropped or converted: what rows do not allow is a ``SchemaConflictError``, and leaves the file as it was. What differs otherwise
    /// is reported as a ``SchemaDifference``.
    ///
    /// A version of the app that is not the latest on the file changes nothing. It goes on if it can, or throws an
    /// ``OlderModelError``.
    ///
    /// A column that the models of before had and these have not takes NULL from now on, so that rows can be saved. One that was
    /// made by hand and stands in the way of all saves is a ``SchemaConflictError`` too.
    ///
    /// In an added column, existing rows get the default value that the property has in the source, where it is a
    /// constant (`var role: Role = .member`). Without one they get NULL where the column takes it; otherwise the empty
    /// value of the column's type: `''`, `0`, `0.0`, an empty blob, `[]` or `{}` in JSON, or the time of the migration.
    /// Where no such value is one of the property's type (a `UUID`, an enum without an empty case), the start throws a
    /// ``MissingValueError`` if there are rows, and adds the column without default if there are none. It throws too for a
    /// column of an embedded value that may be nil, if some row has the value.
    ///
    /// ```swift
    /// schema.autoSchema(UserRecord.self, PostRecord.self)
    /// // CREATE TABLE "posts" (...)
    /// // ALTER TABLE "users" ADD COLUMN "phone" TEXT NOT NULL DEFAULT ''
    /// ```
    ///
    /// - Parameter records: The record types, such as `UserRecord.self`.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func autoSchema<each R: StorageKitEntityRecord>(_ records: repeat (each R).Type) -> Self {
        var tables: [AutoTable] = []
        for record in repeat each records {
            if let problem = record._schemaProblem { problems.append(problem) }
            tables.append(AutoTable(record))
        }
        return add(AutoSchemaStep(tables: tables))
    }

    /// Never there: it gives the compiler words for entities where records are wanted.
    @discardableResult
    @available(*, unavailable, message: "name the records that the macro made: 'UserRecord.self' for 'User.self'")
    public mutating func autoSchema<each E: RegisteredEntity>(_ entities: repeat (each E).Type) -> Self { self }

    /// Like ``autoSchema(_:)``, for tables that are described at run time.
    @discardableResult
    package mutating func autoSchema(tables: [TableSchema]) -> Self {
        add(AutoSchemaStep(tables: tables.map { AutoTable($0) }))
    }

    /// Adds a full-text index over columns of a table, which is kept in step with it by triggers in the file:
    /// whoever changes a row, its index entry changes in the same transaction. Existing rows are indexed.
    ///
    /// ```swift
    /// schema.autoSchema(ArticleRecord.self)
    /// schema.addFullTextSearch(table: "articles", columns: ["title", "content"])
    /// // CREATE VIRTUAL TABLE "articles_fts" USING fts5("title", "content", tokenize='porter')
    /// ```
    ///
    /// `search`, and `matching` of a query, find rows by it.
    ///
    /// The index is built anew if its columns or its tokenizer change, or if its triggers are gone, though not by an older
    /// version of the app (``MigrationPlan/omitted``). It has a copy of the texts, since only so can it forget a row
    /// that `INSERT OR REPLACE` takes away.
    ///
    /// - Parameters:
    ///   - table: The table, which must be there when the step runs and have a primary key of one column, or get that from
    ///     its entity. One whose id has only a unique index, made by hand, gets no key, and the start throws.
    ///   - columns: The columns to index.
    ///   - tokenizer: FTS5's tokenizer with its options: `porter` (English word stems), `unicode61` (all languages),
    ///     `ascii`, `trigram` (parts of words), or a combination such as `porter unicode61 remove_diacritics 2`.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func addFullTextSearch(table: String, columns: [String], tokenizer: String = "porter") -> Self {
        add(FullTextStep(index: FullTextIndex(table: table, columns: columns, tokenizer: tokenizer)))
    }

    /// Adds a migration of your own, which runs once in the life of a database.
    ///
    /// It runs with foreign keys off, so that a table can be dropped and made anew without its rows cascading; what it
    /// leaves broken makes the start fail. It cannot end the transaction that it runs in: the start fails.
    ///
    /// - Parameters:
    ///   - id: What the database remembers the migration by. Never rename one that was shipped.
    ///   - skipIfTableExists: Records the migration as done without running it if this table exists.
    ///   - body: The change. If it throws, the database stays as it was before the start.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func migration(
        _ id: String,
        skipIfTableExists: String? = nil,
        body: @escaping @Sendable (Database) throws -> Void
    ) -> Self {
        add(ManualStep(id: id, skipIfTableExists: skipIfTableExists, body: body))
    }

    /// Adds a migration of your own: the older spelling of ``migration(_:skipIfTableExists:body:)``.
    ///
    /// - Parameters:
    ///   - id: What the database remembers the migration by.
    ///   - ifTableMissing: Records the migration as done without running it if this table exists.
    ///   - body: The change.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func add(
        id: String,
        ifTableMissing: String? = nil,
        body: @escaping @Sendable (Database) throws -> Void
    ) -> Self {
        migration(id, skipIfTableExists: ifTableMissing, body: body)
    }

    mutating func add(_ step: some MigrationStep) -> Self {
        steps.append(step)
        return self
    }
}

/// The documents write `Options(logger:)` without the type it belongs to.
public typealias Options = AppMigrations.Options

extension AppMigrations {
    /// Refuses a list that no database could take, before anything runs.
    func check() throws {
        if let problem = problems.first { throw StorageError.invalidConfiguration(message: problem) }
        try steps.forEach { try $0.check() }
        try checkDeclarations()
        var ids: Set<String> = []
        for case let step as ManualStep in steps where !ids.insert(step.id).inserted {
            throw StorageError.invalidConfiguration(
                message: "two migrations have the id '\(step.id)'; each needs an id of its own")
        }
        var indexes: [SQLName: FullTextIndex] = [:]
        for case let step as FullTextStep in steps {
            let other = indexes.updateValue(step.index, forKey: SQLName(step.index.table))
            guard other == nil || other == step.index else {
                throw StorageError.invalidConfiguration(
                    message: "table '\(step.index.table)' has two full-text indexes; name all columns in one")
            }
        }
        if let (one, other, former) = sharedFormerName(autoTables.map { ($0.name, $0.formerNames) }) {
            throw StorageError.invalidConfiguration(
                message: "'\(one)' and '\(other)' are both renamed from '\(former)'; its rows are those of one")
        }
        if let tables = swappedNames(autoTables.map { ($0.name, $0.formerNames) }) {
            throw StorageError.invalidConfiguration(
                message:
                    "\(tables.quoted) are renamed from each other, and no start can tell whether that was done before; "
                    + "give one a new name, or swap them in a migration")
        }
        try checkTablesOfEntities()
        let cacheTables = Set(steps.compactMap { ($0 as? CacheTableStep)?.table }.map(SQLName.init))
        if let table = autoTables.first(where: { cacheTables.contains(SQLName($0.name)) }) {
            throw StorageError.invalidConfiguration(
                message: "'\(table.name)' is the table of the disk cache and of an entity; rename one")
        }
    }

    /// Refuses two entities that have one table because they have one name, in two types or modules. Those that are to share a table say
    /// so by naming it.
    private func checkTablesOfEntities() throws {
        var entities: [SQLName: any StorageKitEntityRecord.Type] = [:]
        for table in autoSchemaTables {
            guard let record = table.record, table.hasDefaultName else { continue }
            let name = SQLName(table.schema.name)
            if let other = entities.updateValue(record, forKey: name), other.entityName != record.entityName {
                throw StorageError.invalidConfiguration(
                    message: "'\(other.entityName)' and '\(record.entityName)' would both have the table "
                        + "'\(table.schema.name)': name that of one, @StorageEntity(table:)")
            }
        }
    }

    /// The table of the disk cache; nil without one.
    package var cacheTable: String? {
        steps.lazy.compactMap { ($0 as? CacheTableStep)?.table }.last
    }

    var autoSchemaTables: [AutoTable] {
        steps.flatMap { ($0 as? AutoSchemaStep)?.tables ?? [] }
    }

    /// The tables of the entities.
    package var autoTables: [TableSchema] { autoSchemaTables.map(\.schema) }
}
