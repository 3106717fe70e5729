public import StorageCore

/// What a start would do to a file, and what it would leave.
///
/// ```swift
/// let plan = try schema.plan(on: pool)
/// print(plan)
/// // Create table 'posts'
/// // Add column 'phone' to 'users': "phone" TEXT NOT NULL DEFAULT ''
/// // Run migration '2026-01-15_index'
/// ```
public struct MigrationPlan: Sendable, Equatable {
    /// One thing that a start does.
    public enum Operation: Sendable, Equatable {
        /// Everything in the file is dropped, since its schema is another and
        /// ``AppMigrations/Options/eraseDatabaseOnSchemaChange`` is set.
        case eraseDatabase
        /// The table of the disk cache is created.
        case createCacheTable(String)
        /// A table is created.
        case createTable(TableSchema)
        /// A column is added, with the default that existing rows get.
        case addColumn(ColumnSchema, table: String)
        /// A column that the model does not know takes NULL from now on, so that rows can be saved. The table is made anew.
        case makeNullable(column: String, table: String)
        /// A column that took NULL while a model did not know it gets its default where it is NULL.
        case fillColumn(ColumnSchema, table: String)
        /// A table gets the name that it has in the model now.
        case renameTable(String, to: String)
        /// A column gets the name that it has in the model now.
        case renameColumn(String, to: String, table: String)
        /// A column that the app has no use for is dropped with its values.
        case dropColumn(String, table: String)
        /// A column gets another type. Its values stay. The table is made anew.
        case changeType(column: String, from: String, to: String, table: String)
        /// A column takes NULL from now on, as the property does. The table is made anew.
        case allowNull(column: String, table: String)
        /// A column takes NULL no longer. The table is made anew.
        case refuseNull(column: String, table: String)
        /// A column gets another default, which a reference sets. The table is made anew.
        case changeDefault(column: String, to: String, table: String)
        /// The table gets another primary key, and is made anew.
        case changeKey(columns: [String], table: String)
        /// A column of a table that is there refers to another table from now on. The table is made anew.
        case addReference(ReferenceSchema, table: String)
        /// A reference that an earlier model had is dropped. The table is made anew.
        case dropReference(ReferenceSchema, table: String)
        /// An index or a unique key is made.
        case createIndex(IndexSchema, table: String)
        /// An index or a unique key that an earlier model had is dropped.
        case dropIndex(String, table: String)
        /// A full-text index is made, or made anew.
        case buildFullTextIndex(table: String, columns: [String])
        /// A migration of the app's runs.
        case runMigration(id: String)
        /// A migration of the app's is recorded without running, since the table exists that it guards.
        case skipMigration(id: String, existingTable: String)
    }

    /// What one operation costs. A table is made anew once for several changes of it, and the columns of an embedded value are filled at once: the first of
    /// them has the rows and the time, and those behind it have none.
    public struct Cost: Sendable, Hashable {
        /// How many rows it writes, those of triggers and cascades too; of a table that is made anew or indexed, its
        /// rows.
        public let rows: Int
        /// How long it took on the copy that the plan was made on.
        public let duration: Duration
    }

    /// What is done, in order. Empty if the file is up to date.
    public internal(set) var operations: [Operation] = []
    /// What each operation costs, in the same order.
    public internal(set) var costs: [Cost] = []
    /// How long all of it is likely to take: as long as it took on the copy. Copying and checking for
    /// ``StartSafety/backup(keeping:)`` come on top.
    public internal(set) var duration: Duration = .zero
    /// What stays other than the model has it, after the operations.
    public internal(set) var differences: [SchemaDifference] = []
    /// Indexes, unique keys, references and full-text indexes of the model that the file has not, or has otherwise, and that this start does
    /// not make: another version of the app has started since, and counts as the newer one.
    public internal(set) var omitted: [Operation] = []
    /// Migrations that the file has had and the schema does not describe, in the order in which they ran: a newer
    /// version of the app has been here, or the app forgot some.
    public internal(set) var unknownMigrations: [String] = []

    /// Whether there is nothing to do and nothing to tell.
    public var isEmpty: Bool { self == MigrationPlan() }

    /// Whether two plans do the same and leave the same. How long it takes is never the same.
    public static func == (left: MigrationPlan, right: MigrationPlan) -> Bool {
        left.operations == right.operations && left.costs.map(\.rows) == right.costs.map(\.rows)
            && left.differences == right.differences && left.omitted == right.omitted
            && left.unknownMigrations == right.unknownMigrations
    }
}

extension MigrationPlan: CustomStringConvertible {
    /// One line for each operation, with what it costs where it writes rows (``Cost``), for each difference, each omission and the unknown migrations,
    /// and one for all operations.
    public var description: String {
        (lines + warnings + summary).joined(separator: "\n")
    }

    /// What the logger is told at each start.
    var warnings: [String] {
        differences.map { "Warning: \($0)" }
            + omitted.map {
                "Warning: another version of the app has undone or changed what this one does not do again: \($0)"
            }
            + (unknownMigrations.isEmpty
                ? []
                : ["Warning: the file has had migrations that this version does not know: \(unknownMigrations.quoted)"])
    }
}

extension MigrationPlan.Operation: CustomStringConvertible {
    /// The operation in words.
    public var description: String {
        switch self {
        case .eraseDatabase: "Erase the database"
        case .createCacheTable(let name): "Create cache table '\(name)'"
        case .createTable(let table): "Create table '\(table.name)'"
        case .addColumn(let column, let table): "Add column '\(column.name)' to '\(table)': \(column.sql)"
        case .makeNullable(let column, let table):
            "Let column '\(column)' of '\(table)' take NULL, since the model does not know it"
        case .fillColumn(let column, let table):
            "Fill column '\(column.name)' of '\(table)' where it is NULL: \(column.sql)"
        case .renameTable(let old, let new): "Rename table '\(old)' to '\(new)'"
        case .renameColumn(let old, let new, let table): "Rename column '\(old)' of '\(table)' to '\(new)'"
        case .dropColumn(let column, let table): "Drop column '\(column)' of '\(table)' with its values"
        case .changeType(let column, let old, let new, let table):
            "Change column '\(column)' of '\(table)' from \(old) to \(new)"
        case .allowNull(let column, let table): "Let column '\(column)' of '\(table)' take NULL"
        case .refuseNull(let column, let table): "Let column '\(column)' of '\(table)' take NULL no longer"
        case .changeDefault(let column, let value, let table):
            "Let column '\(column)' of '\(table)' have the default \(value)"
        case .changeKey(let columns, let table): "Make \(columns.quoted) the primary key of '\(table)'"
        case .addReference(let reference, let table):
            "Let column '\(reference.column)' of '\(table)' refer to another table: \(reference.sql)"
        case .dropReference(let reference, let table):
            "Let column '\(reference.column)' of '\(table)' refer to '\(reference.table)' no longer"
        case .createIndex(let index, let table): "Create \(index.words(on: table))"
        case .dropIndex(let name, let table): "Drop index '\(name)' of '\(table)', which the model no longer has"
        case .buildFullTextIndex(let table, let columns):
            "Build full-text index of '\(table)': \(columns.joined(separator: ", "))"
        case .runMigration(let id): "Run migration '\(id)'"
        case .skipMigration(let id, let table): "Skip migration '\(id)': table '\(table)' exists"
        }
    }

    /// What the logger is told when it is done, besides the id of the step.
    var logLine: String? {
        switch self {
        case .eraseDatabase: "Erased the database, since its schema had changed"
        case .createTable(let table): "Created table '\(table.name)'"
        case .addColumn(let column, let table): "Added column '\(column.name)' to '\(table)'"
        case .createCacheTable, .buildFullTextIndex, .runMigration, .skipMigration: nil
        default: description
        }
    }
}

extension IndexSchema {
    /// What a plan calls it: `unique key 'slug' of 'users', ignoring case`.
    fileprivate func words(on table: String) -> String {
        let condition = condition.map { ", where \($0)" } ?? ""
        return "\(isUnique ? "unique key" : "index") \(columns.quoted) of '\(table)'"
            + (ignoresCase ? ", ignoring case" : "") + condition
    }
}
