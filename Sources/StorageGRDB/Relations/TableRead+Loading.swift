extension TableRead {
    /// The same with relations filled in the entities, read in the same state of the database.
    package func loading<R: StorageKitEntityRecord>(_ paths: LoadedPaths, _ table: RecordTable<R>) -> TableRead
    where R.E: RegisteredEntity, Value == [R.E] {
        loading(paths, table, { $0 }, { $1 })
    }

    /// The same for a page of entities.
    package func loading<R: StorageKitEntityRecord>(_ paths: LoadedPaths, _ table: RecordTable<R>) -> TableRead
    where R.E: RegisteredEntity, Value == CursorPage<R.E> {
        loading(paths, table, { $0.items }, { CursorPage(items: $1, next: $0.next) })
    }

    /// The same for what a search found.
    package func loading<R: StorageKitEntityRecord>(_ paths: LoadedPaths, _ table: RecordTable<R>) -> TableRead
    where R.E: RegisteredEntity, Value == [SearchResult<R.E>] {
        loading(
            paths, table, { $0.map(\.entity) },
            { zip($0, $1).map { SearchResult(entity: $1, rank: $0.rank, snippet: $0.snippet) } })
    }

    private func loading<R: StorageKitEntityRecord>(
        _ paths: LoadedPaths, _ table: RecordTable<R>, _ entities: @escaping @Sendable (Value) -> [R.E],
        _ result: @escaping @Sendable (Value, [R.E]) -> Value
    ) -> TableRead where R.E: RegisteredEntity {
        guard !paths.isEmpty else { return self }
        return TableRead(sql, mayBeBrief: false) { db in
            try db.inOneState {
                let value = try body(db)
                var filled = entities(value)
                try paths.load(into: &filled, db, table.coders)
                return result(value, filled)
            }
        }
    }
}
