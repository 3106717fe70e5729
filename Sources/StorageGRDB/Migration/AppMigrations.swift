public import GRDB

/// The schema of a store, as a list of steps that `StorageKit.start` runs in order.
///
/// ```swift
/// let context = try StorageKit.start { schema in
///     schema.addKVCache()
///     schema.autoSchema(UserRecord.self, PostRecord.self)
///     schema.migration("2026-01-15_user_email_index") { db in
///         try db.create(index: "idx_users_email", on: "users", columns: ["email"])
///     }
/// }
/// ```
///
/// Each step runs in a transaction of its own and is recorded in the table `grdb_migrations`.
public struct AppMigrations: Sendable {
    /// How the steps are run.
    public struct Options: Sendable {
        /// Called with one line for each thing done: a migration applied, a table created, a column added.
        public var logger: (@Sendable (String) -> Void)?

        /// Creates options.
        ///
        /// - Parameter logger: Called with one line for each thing done.
        public init(logger: (@Sendable (String) -> Void)? = nil) {
            self.logger = logger
        }
    }

    var options = Options()
    var steps: [MigrationStep] = []
    /// What is wrong with the records named so far. Building the list cannot throw; running it does.
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
        add(.kvCache(table: tableName))
    }

    /// Creates the tables of the records, and adds the columns that an existing table lacks. Nothing is ever
    /// dropped. Existing rows get an empty value in an added column that refuses NULL: `''`, `0`, `0.0`, an
    /// empty blob, or the time of the migration.
    ///
    /// - Parameter records: The record types, such as `UserRecord.self`.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func autoSchema<each R: StorageKitEntityRecord>(_ records: repeat (each R).Type) -> Self {
        var tables: [TableSchema] = []
        for record in repeat each records {
            if let problem = record._schemaProblem { problems.append(problem) }
            tables.append(record.tableSchema)
        }
        return add(.autoSchema(tables: tables))
    }

    /// Adds a migration of your own, which runs once in the life of a database.
    ///
    /// - Parameters:
    ///   - id: What the database remembers the migration by. Never rename one that was shipped.
    ///   - skipIfTableExists: Records the migration as done without running it if this table exists.
    ///   - body: The change. If it throws, the database stays as it was before.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func migration(
        _ id: String,
        skipIfTableExists: String? = nil,
        body: @escaping @Sendable (Database) throws -> Void
    ) -> Self {
        add(.manual(id: id, skipIfTableExists: skipIfTableExists, body: body))
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

    private mutating func add(_ step: MigrationStep) -> Self {
        steps.append(step)
        return self
    }
}

/// The documents write `Options(logger:)` without the type it belongs to.
public typealias Options = AppMigrations.Options

enum MigrationStep: Sendable {
    case kvCache(table: String)
    case autoSchema(tables: [TableSchema])
    case manual(id: String, skipIfTableExists: String?, body: @Sendable (Database) throws -> Void)
}
