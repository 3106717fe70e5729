import StorageSQLite

/// What the app's tables are made of, each thing in a line of its own, so that two files can be compared by them. In which words a
/// table was made, and in which order its columns come, makes no difference. What SQLite tells in the table's text alone is not compared:
/// checks, the collations of columns that no index has, the expressions of computed columns and whether they are stored, what a constraint
/// does on a conflict, and when references are checked.
struct SchemaFacts {
    /// The bytes of each line: names that differ in them alone are one text to Swift, and two to SQLite.
    private var lines: Set<[UInt8]> = []

    init(_ connection: Connection) throws {
        let catalog = try Catalog(connection)
        let parts = try StorageKitParts(catalog, connection)
        // A text of the schema does not say which migrations have run, by which caches are known otherwise.
        let tables = catalog.tables.filter { $0.kind != .shadow && parts.isOfTheApp($0) && !$0.isCache }
        let indexes = catalog.parts.filter { $0.type == "index" }
        let sqlOfIndexes = Dictionary(indexes.map { ($0.name.nameKey, $0.sql) }) { first, _ in first }
        for table in tables { add(table, catalog, sqlOfIndexes) }
        let names = Set(tables.map(\.name.nameKey))
        for part in catalog.parts where part.type == "trigger" && names.contains(part.table.nameKey) {
            add("trigger \(part.name): \(part.sql.onOneLine)")
        }
    }

    /// What only this has, then what only the other has, by the names of what it is about.
    func differences(from other: SchemaFacts) -> [String] {
        let (mine, others) = (lines.subtracting(other.lines), other.lines.subtracting(lines))
        return (mine.map { ($0, "- ") } + others.map { ($0, "+ ") })
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
            .map { $0.1 + Printable.line(String(decoding: $0.0, as: UTF8.self)) }
    }

    private mutating func add(_ line: String) { lines.insert(Array(line.utf8)) }

    private mutating func add(_ table: Table, _ catalog: Catalog, _ sqlOfIndexes: [[UInt8]: String]) {
        guard table.kind == .table else {
            add("\(table.kind == .view ? "view" : "virtual table") \(table.name): \(table.sql.onOneLine)")
            return
        }
        add(([table.name] + table.options).joined(separator: " "))
        for column in table.columns {
            let place = table.key.count > 1 ? " \(column.keyPosition)" : ""
            let words = [
                "\(table.name).\(column.name)", column.type, column.isNotNull ? "NOT NULL" : "",
                column.keyPosition > 0 ? "PRIMARY KEY\(place)" : "", column.isGenerated ? "GENERATED" : "",
                column.defaultSQL.map { "DEFAULT \($0)" } ?? "",
            ]
            add(words.filter { !$0.isEmpty }.joined(separator: " "))
        }
        for key in table.foreignKeys {
            let parent = table.parentColumns(key, in: catalog.table(key.parent)).joined(separator: ", ")
            add(
                "\(table.name)(\(key.columns.joined(separator: ", "))) REFERENCES \(key.parent)(\(parent)) "
                    + "ON DELETE \(key.onDelete) ON UPDATE \(key.onUpdate)")
        }
        for index in table.indexes {
            let sql = sqlOfIndexes[index.name.nameKey]?.onOneLine
            if let words = sql.map({ "index \(index.name): \($0)" }) ?? index.constraint {
                add("\(table.name) \(words)")
            }
        }
    }
}
