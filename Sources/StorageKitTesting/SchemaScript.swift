import GRDB
import StorageKit

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
        // As where the statements run again.
        try store.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF") }
        try store.write { db in
            let tables = try db.tablesOfTheApp()
            statements = try tables.map(\.sql) + db.insertStatements(tables)
            statements += try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL
                    ORDER BY type = 'trigger', rowid
                    """)
            // The statements themselves, since their triggers will run again.
            statements += try db.statementsRun {
                remarks = try schema.insertSampleRows(into: db, count: 3, coders, adding: addRows)
            }
        }
    }

    func text(name: String) -> String {
        let head =
            ["The schema of version \(name), with rows that are made up. It is what was released: do not change it."]
            + remarks
        // A comment at the end of a statement would take the semicolon in.
        let ended = statements.map { $0 + ($0.split(separator: "\n").last?.contains("--") == true ? "\n;" : ";") }
        return (head.map { "-- " + $0 } + [""] + ended).joined(separator: "\n") + "\n"
    }
}

extension Database {
    /// The statements that write while `body` runs, with their values.
    ///
    /// - Throws: ``SchemaSnapshotError`` for one whose values nobody tells.
    fileprivate func statementsRun(_ body: () throws -> Void) throws -> [String] {
        let statements = StatementTexts()
        trace { event in
            if case .statement(let statement) = event { statements.add(statement.expandedSQL) }
        }
        defer { trace(options: []) }
        try body()
        guard statements.unknown.isEmpty else {
            throw SchemaSnapshotError(
                findings: statements.unknown.map {
                    "a statement that begins with a comment cannot be kept with its values; put the comment elsewhere: \($0)"
                })
        }
        return statements.all
    }

    /// A statement for each row. What a full-text index holds comes by its triggers.
    fileprivate func insertStatements(_ tables: [AppTable]) throws -> [String] {
        try tables.filter { !$0.isVirtual }.flatMap { table in
            let columns = try storedColumns(of: table.name).map(\.quotedIdentifier)
            let values = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
            let start = "INSERT INTO \(table.name.quotedIdentifier) (\(columns.joined(separator: ", "))) VALUES ("
            // What the start has looked up says nothing of another file.
            let notes =
                table.name == "grdb_migrations"
                ? " WHERE identifier NOT LIKE 'storage\\_schema\\_checked:%' ESCAPE '\\'" : ""
            return try String.fetchAll(
                self, sql: "SELECT ? || \(values) || ')' FROM main.\(table.name.quotedIdentifier)\(notes)",
                arguments: [start])
        }
    }
}

private final class StatementTexts {
    private(set) var all: [String] = []
    private(set) var unknown: [String] = []

    func add(_ sql: String) {
        let words = ["SELECT", "PRAGMA", "SAVEPOINT", "RELEASE", "ROLLBACK"]
        if StatementList.isOfAnother(sql) || words.contains(StatementList.verb(sql)) { return }
        // Of one that begins with a comment GRDB does not tell the values.
        if sql.hasPrefix("--"), sql.contains("?") { unknown.append(sql) } else { all.append(sql) }
    }
}
