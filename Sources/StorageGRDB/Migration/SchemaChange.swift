import GRDB

extension MigrationRun {
    /// Whether tables of the schema are other in the file than the schema, as far as the file has had it, makes them in an
    /// empty one. Tables that the schema does not make do not count, nor do the order of columns, default values, checks
    /// and collations.
    func isSchemaChanged(_ db: Database) throws -> Bool {
        let found = try SchemaSnapshot(db)
        guard !found.objects.isEmpty else { return false }
        // What the file has not had is no change of what it has. Auto-schema has another id for each model.
        let recorded = Set(try db.recordedMigrations())
        let had = schema.steps.filter { $0 is AutoSchemaStep || recorded.contains($0.id) }
        do {
            let wanted = try snapshot(of: had, beside: db)
            let ownTables = Set(schema.autoTables.map(\.name.asciiLowercased))
            return !found.has(wanted) { ownTables.contains($0) }
        } catch {
            guard had.count < schema.steps.count else { throw error }
            // Today's model may need what is new, as where it refers to a table that a new migration makes. Which tables that makes is
            // known to nobody, so any may be missing; the next start, for which nothing is new, asks for all of them.
            return try !found.has(snapshot(of: schema.steps, beside: db)) { _ in true }
        }
    }

    /// What steps of the schema make in an empty file.
    private func snapshot(of steps: [any MigrationStep], beside db: Database) throws -> SchemaSnapshot {
        var fresh = schema
        fresh.options = AppMigrations.Options()
        fresh.steps = steps
        let queue = try DatabaseQueue(configuration: db.configuration.forPrivateDatabase)
        var context = context
        // Nobody waits for this one, and its tables are not those of the file, though their versions may have one number.
        context.progress = StartTeller()
        context.tables = FoundTables()
        let run = try MigrationRun(fresh, in: context)
        return try run.reporting {
            try queue.writeWithoutTransaction { empty in
                _ = try run.perform(on: empty) { _ in }
                return try SchemaSnapshot(empty)
            }
        }
    }
}

extension Database {
    /// One line for each column, foreign key and unique constraint, and one for the table itself. The text of its SQL
    /// would not do: a column that was added stands there in another way than one that was there from the beginning.
    fileprivate func shape(ofTable name: String) throws -> [String] {
        let columns = try tableSchema(named: name)?.columns ?? []
        let facts = try [
            "SELECT wr, strict FROM pragma_table_list(?) WHERE schema = 'main'",
            "SELECT lower(name), hidden FROM pragma_table_xinfo(?, 'main') WHERE hidden > 1",
            """
            SELECT lower("table"), group_concat(lower("from") || '.' || ifnull(lower("to"), '')), on_update, on_delete
            FROM pragma_foreign_key_list(?, 'main') GROUP BY id
            """,
            """
            SELECT (SELECT group_concat(lower(name)) FROM pragma_index_info(list.name, 'main'))
            FROM pragma_index_list(?, 'main') AS list WHERE origin = 'u'
            """,
        ].flatMap { try Row.fetchAll(self, sql: $0, arguments: [name]).map(\.description) }
        return columns.map { "\($0.name.asciiLowercased) \($0.type) \($0.notNull) \($0.primaryKey)" } + facts
    }
}

/// The shape of all tables, with what hangs on them.
struct SchemaSnapshot {
    /// One line for each column, key, index, trigger and view, by the lowercased name of its table.
    let objects: [String: Set<String>]

    /// Indexes that auto-schema made do not count: it makes and drops them without any need to begin anew.
    init(_ db: Database) throws {
        var objects: [String: Set<String>] = [:]
        let recorded = try db.recordedModels()
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT type, name, tbl_name, sql FROM main.sqlite_master
                WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '\(Database.migrationsTable)'
                """)
        for row in rows {
            let (type, name, table, sql): (String, String, String, String?) = (row[0], row[1], row[2], row[3])
            if type == "index", let sql, recorded.has(.index(sql)) { continue }
            let lines = try type == "table" ? db.shape(ofTable: name) : sql.map { [$0] } ?? []
            objects[table.asciiLowercased, default: []].formUnion(lines)
        }
        self.objects = objects
    }

    /// Whether each table of the other is here too, in the same shape, or may be missing.
    func has(_ other: SchemaSnapshot, mayMiss: (String) -> Bool) -> Bool {
        other.objects.allSatisfy { objects[$0.key] == $0.value || objects[$0.key] == nil && mayMiss($0.key) }
    }
}
