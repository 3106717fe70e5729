extension DAO {
    /// A DAO for a table of a database, or of the transaction whose handle it is given.
    ///
    /// - `create` runs `INSERT` and `update` runs `UPDATE`, each with the columns that the schema encodes. Both return
    ///   what then stands in the table, keys that SQLite made and what triggers did included. If that cannot be read,
    ///   nothing was written.
    /// - `update` throws ``SQLiteError/missingPrimaryKey(table:column:)`` for an entity whose key is NULL or not encoded,
    ///   and so does `create` where SQLite makes no key for it; `update` and `delete` throw
    ///   ``SQLiteError/rowNotFound(table:column:)`` for a row that is not there.
    /// - `list` sorts by the primary key.
    /// - All throw ``SQLiteError``, `CancellationError`, and what the schema's closures throw.
    ///
    /// The table has to exist when the closures are called.
    ///
    /// - Parameters:
    ///   - database: The database, or the handle of a transaction.
    ///   - schema: The table and its codec.
    public static func make(database: SQLiteDatabase, schema: TableSchema<Entity>) -> DAO<Entity> {
        let sql = TableSQL(table: schema.table, primaryKey: schema.primaryKey)
        let rows = { @Sendable (sql: String, values: [SQLiteValue]) in try await database.rows(sql, values) }
        return DAO(
            create: { entity in
                let values = try schema.encode(entity)
                return try await database.atomically { try $0.insert(values, sql, schema) }
            },
            read: { try await rows(sql.select, [$0]).first.map(schema.decode) },
            update: { entity in
                let values = try schema.encode(entity)
                return try await database.atomically { try $0.update(values, sql, schema) }
            },
            delete: { key in try await database.atomically { try $0.delete(key, sql, schema) } },
            list: { try await rows(sql.list, []).map(schema.decode) },
            query: { try await rows($0, $1).map(schema.decode) },
            queryRows: rows)
    }
}

extension Connection {
    fileprivate func insert<Entity>(
        _ values: [String: SQLiteValue], _ sql: TableSQL, _ schema: TableSchema<Entity>
    ) throws -> Entity {
        let row = Row(values)
        let key: SQLiteValue?
        do {
            // SQLite may have made the key.
            key = try rows(sql.insert(row.columns), row.values).first?.values.first
        } catch SQLiteError.sqlite(_, let message, _)
            where row.value(schema.primaryKey) ?? .null == .null && schema.isKeyMissing(message)
        {
            throw schema.missingPrimaryKey
        }
        guard let key else { throw schema.rowNotFound }
        if let row = try rows(sql.select, [key]).first { return try schema.decode(row) }
        // SQLite returns neither the key that a virtual table has made nor the one that a trigger has set.
        guard let row = try? rows(sql.selectLast, []).first, row.value(schema.primaryKey) != .null else {
            throw key == .null ? schema.missingPrimaryKey : schema.rowNotFound
        }
        return try schema.decode(row)
    }

    fileprivate func update<Entity>(
        _ values: [String: SQLiteValue], _ sql: TableSQL, _ schema: TableSchema<Entity>
    ) throws -> Entity {
        let row = Row(values)
        guard let key = row.value(schema.primaryKey), key != .null else { throw schema.missingPrimaryKey }
        // Of a view SQLite does not count the rows.
        _ = try execute(sql.update(row.columns), row.values + [key])
        guard let stored = try rows(sql.select, [key]).first else { throw schema.rowNotFound }
        return try schema.decode(stored)
    }

    fileprivate func delete<Entity>(_ key: SQLiteValue, _ sql: TableSQL, _ schema: TableSchema<Entity>) throws {
        // Of a view SQLite counts what its triggers change, and not its own rows.
        let before = sqlite.totalChangeCount
        _ = try execute(sql.delete, [key])
        guard sqlite.totalChangeCount > before else { throw schema.rowNotFound }
    }
}

extension TableSchema {
    fileprivate var missingPrimaryKey: SQLiteError { .missingPrimaryKey(table: table, column: primaryKey) }
    fileprivate var rowNotFound: SQLiteError { .rowNotFound(table: table, column: primaryKey) }

    /// Whether SQLite's message says that the key must not be NULL.
    fileprivate func isKeyMissing(_ message: String) -> Bool {
        message.asciiLowercased == "NOT NULL constraint failed: \(table).\(primaryKey)".asciiLowercased
    }
}
