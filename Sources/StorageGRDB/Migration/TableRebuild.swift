import GRDB

/// Makes a table anew from another text, with all that hangs on it.
///
/// The rows wait in a temporary table while the table is dropped and made under its own name. So nothing is renamed, and
/// what refers to the table by its name (views, triggers of other tables, foreign keys) is never rewritten. Foreign keys must
/// be off, since a table that is dropped would take the rows with it that refer to its own.
struct TableRebuild {
    let table: String
    /// The text of the new table, which has the same columns.
    let sql: String

    private static let waitingRows = "temp.storagekit_waiting_rows"

    func run(on db: Database) throws {
        try checkTexts(on: db)
        let dependents = try dependents(on: db)
        let triggersInTemp = try triggersInTemp(on: db)
        let lastRowid = try lastRowid(on: db)
        let statistics = try statistics(on: db)
        let columns = try copiedColumns(on: db)
        try db.execute(
            sql: "CREATE TABLE \(Self.waitingRows) (\(columns.indices.map { "c\($0)" }.joined(separator: ", ")))")
        let name = "main.\(table.quotedIdentifier)"
        let list = columns.joined(separator: ", ")
        try db.execute(sql: "INSERT INTO \(Self.waitingRows) SELECT \(list) FROM \(name)")
        let count = db.changesCount
        try db.execute(sql: "DROP TABLE \(name)")
        // SQLite knows which of them were of this table, and not of another schema's.
        let otherTriggersInTemp = try self.triggersInTemp(on: db)
        try db.execute(sql: sql)
        // Rows that broke a check before stay.
        try db.ignoringChecks {
            try db.execute(sql: "INSERT INTO \(name) (\(list)) SELECT * FROM \(Self.waitingRows) ORDER BY rowid")
        }
        // A constraint may say that a row which breaks it is left out.
        guard db.changesCount == count else {
            throw TableRebuildError(table: table, reason: .rowsLeftOut(count - db.changesCount))
        }
        try db.execute(sql: "DROP TABLE \(Self.waitingRows)")
        try setLastRowid(lastRowid, on: db)
        // A temporary table of the same name would draw them.
        for sql in dependents { try db.execute(sql: sql.ofMainSchema) }
        guard try self.dependents(on: db) == dependents else {
            throw TableRebuildError(table: table, reason: .dependents)
        }
        for sql in triggersInTemp where !otherTriggersInTemp.contains(sql) {
            try db.execute(sql: "CREATE TEMP\(sql.dropFirst("CREATE".count))")
        }
        try setStatistics(statistics, on: db)
    }

    /// Some programs write other bytes than UTF-8 into a schema. Read as a text they become other ones.
    private func checkTexts(on db: Database) throws {
        guard try String.fetchOne(db, sql: "PRAGMA encoding") == "UTF-8" else { return }
        let texts = try Data.fetchAll(
            db,
            sql: """
                SELECT CAST(sql AS BLOB) FROM main.sqlite_master WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL
                """,
            arguments: [table])
        guard texts.allSatisfy({ String(validating: $0, as: UTF8.self) != nil }) else {
            throw TableRebuildError(table: table, reason: .notUTF8)
        }
    }

    /// The stored columns, with the rowid before them. Where a column is the rowid both are named, and SQLite takes the last.
    private func copiedColumns(on db: Database) throws -> [String] {
        let columns = try db.storedColumns(of: table).map(\.quotedIdentifier)
        return (try db.rowidName(of: table).map { [$0] } ?? []) + columns
    }

    /// The indexes and triggers of the table, word for word; those that SQLite makes by itself have no text.
    private func dependents(on db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT sql FROM main.sqlite_master
                WHERE type IN ('index', 'trigger') AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL ORDER BY rowid
                """,
            arguments: [table])
    }

    /// The triggers that live as long as the connection, of all tables. SQLite keeps their texts without `TEMP`.
    private func triggersInTemp(on db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT sql FROM temp.sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    }

    // MARK: AUTOINCREMENT

    private func lastRowid(on db: Database) throws -> Int64? {
        guard try db.hasTable("sqlite_sequence") else { return nil }
        let sql = "SELECT seq FROM main.sqlite_sequence WHERE name = ? COLLATE NOCASE"
        return try Int64.fetchOne(db, sql: sql, arguments: [table])
    }

    /// Ids of rows that were deleted are not given again. Where another column is the key now, its own may be greater.
    private func setLastRowid(_ rowid: Int64?, on db: Database) throws {
        guard let rowid, try rowid > lastRowid(on: db) ?? .min else { return }
        let name = try db.spelledName(ofTable: table)
        try db.execute(sql: "DELETE FROM main.sqlite_sequence WHERE name = ?", arguments: [name])
        try db.execute(sql: "INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [name, rowid])
    }

    // MARK: ANALYZE

    private func statistics(on db: Database) throws -> [Row] {
        guard try db.hasTable("sqlite_stat1") else { return [] }
        // SQLite numbers the indexes that it makes by itself anew.
        let sql = """
            SELECT tbl, idx, stat FROM main.sqlite_stat1
            WHERE tbl = ? COLLATE NOCASE AND ifnull(idx NOT LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\', true)
            """
        return try Row.fetchAll(db, sql: sql, arguments: [table])
    }

    /// What is known of the indexes counts until somebody has SQLite look again.
    private func setStatistics(_ statistics: [Row], on db: Database) throws {
        guard !statistics.isEmpty else { return }
        for row in statistics {
            try db.execute(
                sql: "INSERT INTO main.sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)",
                arguments: StatementArguments(row.databaseValues))
        }
        // This connection learns of them, too.
        try db.execute(sql: "ANALYZE main.sqlite_master")
    }
}

/// A table could not be made anew as it was. The file is as it was before the start.
public struct TableRebuildError: Error, Sendable, Equatable {
    /// What would have been other than before.
    public enum Reason: Sendable, Equatable {
        /// The constraints of the table would have left out so many of its rows.
        case rowsLeftOut(Int)
        /// An index or a trigger would not have come back.
        case dependents
        /// The text of the table, of an index or of a trigger is no valid UTF-8, and would have come back as another.
        case notUTF8
    }

    /// The table.
    public let table: String
    /// What would have been other than before.
    public let reason: Reason
}

extension TableRebuildError: LocalizedError {
    /// The table and what would have been lost.
    public var errorDescription: String? {
        let problem =
            switch reason {
            case .rowsLeftOut(let rows):
                "its constraints would leave out \(rows) row\(rows == 1 ? "" : "s") that it has"
            case .dependents: "its indexes and triggers would not all come back"
            case .notUTF8: "its text, or that of an index or a trigger of it, is no valid UTF-8"
            }
        return "table '\(table)' cannot be made anew: \(problem)"
    }
}
