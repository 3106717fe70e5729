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

extension Database {
    /// The tables of the file that refer to others, or to themselves.
    func tablesWithForeignKeys() throws -> [String] {
        try String.fetchAll(
            self,
            sql: """
                SELECT DISTINCT master.name FROM main.sqlite_master AS master,
                    pragma_foreign_key_list(master.name, 'main')
                WHERE master.type = 'table' ORDER BY 1
                """)
    }
}

extension DatabaseError {
    /// Whether references cannot be checked, since no unique key stands behind what they refer to.
    var isForeignKeyMismatch: Bool {
        resultCode == .SQLITE_ERROR && message?.hasPrefix("foreign key mismatch") == true
    }
}

/// The references that pointed nowhere before a run. They are not its fault, and do not make it fail; nor do those
/// that SQLite cannot check.
struct ForeignKeyViolations {
    private let before: State

    init(_ db: Database) throws {
        before = try State(db)
    }

    /// - Throws: ``ForeignKeysBrokenError`` if there are more than before; SQLite's error if a table can no longer be
    ///   checked.
    func check(_ db: Database) throws {
        let state = try State(db)
        for (table, error) in state.mismatches where before.mismatches[table] == nil { throw error }
        for (reference, count) in state.counts where count > before.counts[reference, default: 0] {
            throw ForeignKeysBrokenError(
                table: reference.table, parent: reference.parent, rows: count - before.counts[reference, default: 0])
        }
    }

    private struct Reference: Hashable {
        let table: String
        let parent: String
    }

    private struct State {
        var counts: [Reference: Int] = [:]
        var mismatches: [String: DatabaseError] = [:]

        init(_ db: Database) throws {
            let sql = #"SELECT "parent", COUNT(*) FROM pragma_foreign_key_check(?, 'main') GROUP BY 1"#
            for table in try db.tablesWithForeignKeys() {
                do {
                    for row in try Row.fetchAll(db, sql: sql, arguments: [table]) {
                        counts[Reference(table: table, parent: row[0])] = row[1]
                    }
                } catch let error as DatabaseError where error.isForeignKeyMismatch {
                    mismatches[table] = error
                }
            }
        }
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

/// A migration would have ended the transaction that it ran in.
public struct TransactionEndedError: Error, Sendable, Equatable, LocalizedError {
    /// What happened, and what to do.
    public var errorDescription: String? {
        "the migration would end the transaction that all migrations run in: leave out COMMIT and ROLLBACK, and let "
            + "errors of SQLite pass"
    }
}
