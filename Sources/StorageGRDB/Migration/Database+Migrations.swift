import GRDB

extension Database {
    /// The table that GRDB's own migrator keeps too, so that an app can move from one to the other.
    package static let migrationsTable = "grdb_migrations"

    /// The ids of what has run, in that order.
    package func recordedMigrations() throws -> [String] {
        guard try hasTable(Database.migrationsTable) else { return [] }
        return try String.fetchAll(self, sql: "SELECT identifier FROM main.\(Database.migrationsTable) ORDER BY rowid")
    }

    /// Remembers that something has run, as the latest.
    func recordMigration(_ id: String) throws {
        try execute(
            sql: "CREATE TABLE IF NOT EXISTS main.\(Database.migrationsTable) (identifier TEXT NOT NULL PRIMARY KEY)")
        try execute(sql: "INSERT OR REPLACE INTO main.\(Database.migrationsTable) VALUES (?)", arguments: [id])
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
