extension RecordTable {
    /// Inserts or saves all entities, in their order, and says what is stored.
    package func write(_ kind: EntityWrite<R>.Kind, _ entities: [R.E], now: Date) -> TableWrite<[R.E]> {
        written(entities, now: now) { [self] db, entity in
            try EntityWrite(kind, entity, self, now: now).run(db, isAlone: false).entity
        }
    }

    /// Writes all entities, in their order, and says what is stored.
    func written(
        _ entities: [R.E], now: Date, _ write: @escaping @Sendable (Database, R.E) throws -> R.E
    ) -> TableWrite<[R.E]> {
        TableWrite { [self] db in
            try db.withLateReferences(of: self, rows: entities.count, now: now) {
                try entities.writingEach { try write(db, $0) }
            }
        }
    }
}
