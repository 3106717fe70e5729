/// What a save does where another row has the entity's values in a unique key other than the id.
public struct SaveConflict<E: RegisteredEntity>: Sendable {
    /// The columns of the key.
    let columns: [ExpressionNode]

    /// Updates that row, which keeps its id.
    ///
    /// ```swift
    /// try await storage.save(user, onConflict: .update(\.email))
    /// ```
    ///
    /// - Parameter columns: The columns of a unique key of all rows of the table: `\.email`, or `\.shelf, \.place`.
    public static func update<each T>(_ columns: repeat KeyPath<ColumnRef<E>, Column<each T>>) -> SaveConflict<E> {
        var nodes: [ExpressionNode] = []
        let row = ColumnRef<E>()
        repeat nodes.append(row[keyPath: each columns].node)
        return SaveConflict(columns: nodes)
    }
}

extension RecordTable where R.E: RegisteredEntity {
    /// Inserts an entity, or updates the row that has the same values in a unique key, and says what is stored.
    package func save(_ entity: R.E, _ conflict: SaveConflict<R.E>, now: Date) throws -> TableWrite<R.E> {
        let save = try saving(by: conflict, now: now)
        return TableWrite { db in try save(db, entity) }
    }

    /// The same for all entities, in their order.
    package func save(_ entities: [R.E], _ conflict: SaveConflict<R.E>, now: Date) throws -> TableWrite<[R.E]> {
        try written(entities, now: now, saving(by: conflict, now: now))
    }

    private func saving(
        by conflict: SaveConflict<R.E>, now: Date
    ) throws -> @Sendable (Database, R.E) throws -> R.E {
        let key = try conflict.columns.map { try source.ownColumn($0).name }
        guard !key.isEmpty else {
            throw StorageError.invalidQuery("onConflict of table '\(name)' names no columns")
        }
        let query = upsertSQL(by: key)
        return { [self] db, entity in
            try checkGivesId(to: entity, db)
            let new = version(of: entity) == nil ? entity : self.entity(entity, withVersion: 1)
            let values = try self.values(of: new, now: now)
            do {
                return try db.namingConstraints(of: self, values: { values }) {
                    try db.returned(by: query, values, of: self)
                }
            } catch let error as DatabaseError where error.isAboutMissingKey {
                throw StorageError.invalidConfiguration(
                    message:
                        "table '\(name)' has no unique key of the columns \(key.joined(separator: ", ")); "
                        + "declare one of all rows, as by @StorageUnique")
            }
        }
    }

    private func upsertSQL(by key: [String]) -> String {
        let names = columns.map(\.name.quotedIdentifier)
        // The key too: where case does not count, it may be spelled otherwise.
        let settings = columns.map(\.name).filter { $0 != idColumn }.map { column in
            let column = column.quotedIdentifier
            let isVersion = column == sql.versionColumn?.quotedIdentifier
            return isVersion ? "\(column) = \(column) + 1" : "\(column) = excluded.\(column)"
        }
        // Something has to be set for the row to be returned.
        let id = idColumn.quotedIdentifier
        return """
            INSERT INTO \(sql.upsertTarget) (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", "))) \
            ON CONFLICT (\(key.map(\.quotedIdentifier).joined(separator: ", "))) DO UPDATE SET \
            \(settings.isEmpty ? "\(id) = \(id)" : settings.joined(separator: ", ")) RETURNING \(source.selectList)
            """
    }
}

extension Database {
    /// Runs a statement that writes one row, and reads the row.
    fileprivate func returned<R: StorageKitEntityRecord>(
        by sql: String, _ values: [StoredValue], of table: RecordTable<R>
    ) throws -> R.E {
        let statement = try cachedStatement(sql: sql)
        var stored: R.E?
        try statement.binding(coders: table.coders) { row in
            try EntityCodec.bind(values, to: &row, of: table)
            try statement.forEachRow(coders: table.coders) { stored = try EntityCodec.decode(R.self, &$0) }
        }
        guard let stored else { throw table.rowKeptByTrigger }
        return stored
    }
}
