import GRDB

extension Database {
    /// The table that GRDB's own migrator keeps too, so that an app can move from one to the other.
    static let migrationsTable = "grdb_migrations"

    /// Whether the file itself has a table of that name. GRDB looks among temporary tables and in attached databases
    /// too, and takes capitals outside ASCII for their small letters, which SQLite does not.
    func hasTable(_ name: String) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE)"
        return try Bool.fetchOne(self, sql: sql, arguments: [name]) == true
    }

    /// The ids of what has run, in that order.
    func recordedMigrations() throws -> [String] {
        guard try hasTable(Database.migrationsTable) else { return [] }
        return try String.fetchAll(self, sql: "SELECT identifier FROM main.\(Database.migrationsTable) ORDER BY rowid")
    }

    func recordMigration(_ id: String) throws {
        try execute(
            sql: "CREATE TABLE IF NOT EXISTS main.\(Database.migrationsTable) (identifier TEXT NOT NULL PRIMARY KEY)")
        try execute(sql: "INSERT OR IGNORE INTO main.\(Database.migrationsTable) VALUES (?)", arguments: [id])
    }

    /// Runs `body` with foreign keys off, and puts the switch back.
    func withoutForeignKeys(_ body: () throws -> Void) throws {
        guard try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") ?? false else { return try body() }
        try execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? execute(sql: "PRAGMA foreign_keys = ON") }
        try body()
    }

    /// Drops all that the app made. Foreign keys must be off.
    func dropEverything() throws {
        for type in ["trigger", "view"] {
            for name in try names(of: "type = '\(type)'") {
                try execute(sql: "DROP \(type) main.\(name.quotedIdentifier)")
            }
        }
        // The tables behind a virtual table go with it.
        for condition in ["type = 'table' AND sql LIKE 'CREATE VIRTUAL%'", "type = 'table'"] {
            for name in try names(of: condition) {
                try execute(sql: "DROP TABLE main.\(name.quotedIdentifier)")
            }
        }
    }

    private func names(of condition: String) throws -> [String] {
        try String.fetchAll(
            self,
            sql: "SELECT name FROM main.sqlite_master WHERE \(condition) AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    }
}

/// The references that pointed nowhere before a run. They are not its fault, and do not make it fail.
struct ForeignKeyViolations {
    private let before: [Reference: Int]

    init(_ db: Database) throws {
        before = try ForeignKeyViolations.count(db)
    }

    /// - Throws: ``ForeignKeysBrokenError`` if there are more than before.
    func check(_ db: Database) throws {
        for (reference, count) in try ForeignKeyViolations.count(db) where count > before[reference, default: 0] {
            throw ForeignKeysBrokenError(
                table: reference.table, parent: reference.parent, rows: count - before[reference, default: 0])
        }
    }

    private struct Reference: Hashable {
        let table: String
        let parent: String
    }

    private static func count(_ db: Database) throws -> [Reference: Int] {
        let sql = #"SELECT "table", "parent", COUNT(*) FROM pragma_foreign_key_check GROUP BY 1, 2"#
        let rows = try Row.fetchAll(db, sql: sql)
        return Dictionary(rows.map { (Reference(table: $0[0], parent: $0[1]), $0[2]) }) { $0 + $1 }
    }
}

/// A migration left rows that refer to rows which are not there.
public struct ForeignKeysBrokenError: Error, Sendable, Equatable {
    /// The table that refers.
    public let table: String
    /// The table that is referred to.
    public let parent: String
    /// How many rows.
    public let rows: Int
}

extension ForeignKeysBrokenError: LocalizedError {
    /// The tables, and how many rows.
    public var errorDescription: String? {
        "\(rows) row\(rows == 1 ? "" : "s") of '\(table)' would refer to rows of '\(parent)' that are not there"
    }
}

/// A migration ended the transaction that it ran in.
public struct TransactionEndedError: Error, Sendable, Equatable, LocalizedError {
    /// What happened, and what to do.
    public var errorDescription: String? {
        "the migration ended the transaction that all migrations run in: leave out COMMIT and ROLLBACK, and let "
            + "errors of SQLite pass"
    }
}
