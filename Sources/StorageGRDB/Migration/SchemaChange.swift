import GRDB

extension MigrationRun {
    /// Whether the tables of the schema are in the file, but other than the schema makes them in an empty one.
    /// Tables that the schema does not make do not count, nor does the order of columns.
    func isSchemaChanged(_ db: Database) throws -> Bool {
        guard try !SchemaSnapshot(db).objects.isEmpty else { return false }
        var fresh = schema
        fresh.options = AppMigrations.Options()
        let queue = try DatabaseQueue(configuration: db.configuration.forPrivateDatabase)
        let run = try MigrationRun(fresh, in: context)
        let wanted = try run.reporting {
            try queue.writeWithoutTransaction { empty in
                _ = try run.perform(on: empty) { _ in }
                return try SchemaSnapshot(empty)
            }
        }
        return try !SchemaSnapshot(db).has(wanted)
    }
}

/// The shape of all tables, with what hangs on them.
struct SchemaSnapshot {
    /// One line for each column, index, trigger and view, by the lowercased name of its table.
    let objects: [String: Set<String>]

    init(_ db: Database) throws {
        var objects: [String: Set<String>] = [:]
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT type, name, tbl_name, sql FROM main.sqlite_master
                WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '\(Database.migrationsTable)'
                """)
        for row in rows {
            let (type, name, table, sql): (String, String, String, String?) = (row[0], row[1], row[2], row[3])
            // Made when they are first needed, not by the schema.
            if name.hasPrefix(CacheTrigger.namePrefix) { continue }
            var lines = Set(sql.map { type == "table" ? [] : [$0] } ?? [])
            for column in type == "table" ? try db.tableSchema(named: name)?.columns ?? [] : [] {
                lines.insert("\(column.name) \(column.type) \(column.notNull) \(column.primaryKey)")
            }
            objects[table.lowercased(), default: []].formUnion(lines)
        }
        self.objects = objects
    }

    /// Whether each table of the other is here too, in the same shape.
    func has(_ other: SchemaSnapshot) -> Bool {
        other.objects.allSatisfy { objects[$0.key] == $0.value }
    }
}
