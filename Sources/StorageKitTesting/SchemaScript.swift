import GRDB
import StorageKit
import StorageSQLite

/// A database as the SQL that makes it anew, with rows.
struct SchemaScript {
    private var statements: [String] = []
    private var remarks: [String] = []

    /// - Parameters:
    ///   - store: A fresh store. It gets the rows that are made up.
    ///   - schema: Its schema.
    ///   - coders: Write what is JSON.
    ///   - addRows: Adds more.
    init(
        of store: DatabaseQueue, schema: AppMigrations, _ coders: JSONCoders, addRows: (Database) throws -> Void
    ) throws {
        // Foreign keys are off, as they are where the statements will run.
        try store.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF") }
        try store.write { db in
            remarks = try schema.insertSampleRows(into: db, count: 3, coders, adding: addRows)
            let tables = try db.tablesOfTheApp()
            statements = tables.map(\.sql)
            for table in tables {
                if table.takesItsRows {
                    statements += try db.insertStatements(of: table, keepingRowids: tables.contains(where: \.isVirtual))
                } else {
                    remarks.append(
                        "table '\(table.name)' has no rows, since nobody but its module can copy them")
                }
            }
            // Triggers come last: what they did is among the rows.
            statements += try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL
                    ORDER BY type = 'trigger', rowid
                    """)
        }
    }

    func text(name: String) -> String {
        let head =
            ["The schema of version \(name), with rows that are made up. It is what was released: do not change it."]
            + remarks
        return (head.map { "-- " + $0.onOneLine } + [""] + statements.map(\.ended)).joined(separator: "\n") + "\n"
    }
}

extension String {
    /// The statement with a semicolon that no comment at its end takes in: one of a line ends with the line, and SQLite
    /// lets the other kind stay open.
    fileprivate var ended: String {
        let ends = [";", "\n;", "*/;"]
        return ends.map { self + $0 }.first { [SQLToken](of: Array($0.utf8))?.last?.isSign(";") == true } ?? self + ";"
    }
}

extension Database {
    /// A statement for each row.
    ///
    /// - Parameter keepsRowids: Whether rows keep their numbers, by which a full-text index may know them.
    fileprivate func insertStatements(of table: AppTable, keepingRowids keepsRowids: Bool) throws -> [String] {
        let names = try storedColumns(of: table.name)
        let hasRowids = !table.isWithoutRowid && !names.contains { $0.isSameName(as: "rowid") }
        let columns = (keepsRowids && hasRowids ? ["rowid"] : []) + names.map(\.quotedIdentifier)
        let (name, list) = (table.name.quotedIdentifier, columns.joined(separator: ", "))
        // What the start has looked up says nothing of another file.
        let condition =
            table.name == Database.migrationsTable
            ? " WHERE identifier NOT GLOB '\(SchemaRecord.notePrefix)*'" : ""
        // GRDB would read texts up to their first NUL.
        guard let connection = sqliteConnection.map({ Connection(borrowing: $0) }) else {
            throw SchemaSnapshotError(findings: ["table '\(table.name)' cannot be read: the connection is closed"])
        }
        let rows = try connection.prepare("SELECT \(list) FROM main.\(name)\(condition)")
        var statements: [String] = []
        while try rows.handle.step() {
            let values = rows.handle.row.map(\.literal).joined(separator: ", ")
            statements.append("INSERT INTO \(name) (\(list)) VALUES (\(values))")
        }
        return statements
    }
}
