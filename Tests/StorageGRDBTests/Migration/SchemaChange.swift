import GRDB
import StorageKit

/// A migration of a made-up schema. It does nothing where the file has no such table or column, as it is with a file
/// that is made by a later version.
struct SchemaChange: Sendable {
    enum Kind: Sendable {
        case rename(column: String, to: String)
        /// Copies the table into one that lacks the column, drops it, and puts back the indexes of the others.
        case rebuild(without: String)
        case index(column: String)
        /// Changes the value of each row.
        case transform(column: String)
    }

    let id: String
    let table: String
    var index: String?
    let kind: Kind

    var indexName: String { index ?? "on_\(id)" }

    /// The column that the migration changes.
    var column: String {
        switch kind {
        case .rename(let column, _), .rebuild(let column), .index(let column), .transform(let column): column
        }
    }

    func apply(to db: GRDB.Database) throws {
        guard try db.tableExists(table), try db.columns(in: table).contains(where: { $0.name == column }) else {
            return
        }
        switch kind {
        case .rename(_, let new): try db.execute(sql: "ALTER TABLE \(table) RENAME COLUMN \(column) TO \(new)")
        case .rebuild: try rebuild(db)
        case .index: try db.execute(sql: "CREATE INDEX IF NOT EXISTS \(indexName) ON \(table) (\(column))")
        case .transform: try db.execute(sql: "UPDATE \(table) SET \(column) = 'was ' || quote(\(column))")
        }
    }

    private func rebuild(_ db: GRDB.Database) throws {
        let columns = try db.columns(in: table).filter { $0.name != column }
        let definitions = columns.map { column in
            "\(column.name) \(column.type)" + (column.primaryKeyIndex > 0 ? " PRIMARY KEY" : "")
                + (column.isNotNull ? " NOT NULL" : "")
                + (column.defaultValueSQL.map { " DEFAULT \($0)" } ?? "")
        }
        let indexes = try String.fetchAll(
            db, sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
            arguments: [table])
        let names = columns.map(\.name).joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE rebuilt (\(definitions.joined(separator: ", ")))")
        try db.execute(sql: "INSERT INTO rebuilt SELECT \(names) FROM \(table)")
        try db.execute(sql: "DROP TABLE \(table)")
        try db.execute(sql: "ALTER TABLE rebuilt RENAME TO \(table)")
        for sql in indexes where !sql.contains("(\(column))") && !sql.contains("(\"\(column)\")") {
            try db.execute(sql: sql)
        }
    }
}
