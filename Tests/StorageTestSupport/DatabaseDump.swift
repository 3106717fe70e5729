package import StorageKit

/// All that a file says: its schema and every value of every row with its type. Two dumps are equal if nothing
/// that a query could see is different.
package struct DatabaseDump: Sendable, Equatable {
    package let text: String

    /// Opens the file, which writes back what a crash left in its log.
    package init(of file: URL) throws {
        // A process that ends may hold a lock.
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        text = try queue.read { db in try DatabaseDump(db).text }
        try queue.close()
    }

    package init(_ db: Database) throws {
        let schema = try Row.fetchAll(
            db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name, type")
        var parts = schema.map { row in
            [row["type"], row["name"], row["tbl_name"], row["sql"] ?? "-"].joined(separator: " | ")
        }
        for row in schema where row["type"] == "table" {
            parts.append(try DatabaseDump.rows(of: row["name"], db))
        }
        text = parts.joined(separator: "\n")
    }

    /// SQLite puts the text together, which is many times faster than to fetch each value.
    private static func rows(of table: String, _ db: Database) throws -> String {
        let columns = try Row.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
            .map { ($0["name"] as String).quotedIdentifier }
        let line = columns.map { "typeof(\($0)) || quote(\($0))" }.joined(separator: " || ',' || ")
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT group_concat(line, char(10))
                FROM (SELECT \(line) AS line FROM \(table.quotedIdentifier) ORDER BY line)
                """)
        return "\(table): \(row?[0] as String? ?? "")"
    }

    /// The first line that is not the same, for the report of a failure.
    package func firstDifference(from other: DatabaseDump) -> String {
        let (lines, others) = (text.split(separator: "\n"), other.text.split(separator: "\n"))
        for index in 0..<max(lines.count, others.count) {
            let line = index < lines.count ? lines[index] : "-"
            let otherLine = index < others.count ? others[index] : "-"
            if line != otherLine { return "line \(index): \(line) <> \(otherLine)" }
        }
        return "no difference"
    }
}

extension DatabaseDump: CustomStringConvertible {
    /// Short, since a failing test prints it.
    package var description: String { "a dump of \(text.utf8.count) bytes" }
}
