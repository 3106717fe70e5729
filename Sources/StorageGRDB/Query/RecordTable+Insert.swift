extension RecordTable {
    /// Inserts all entities, in their order, and says what is stored.
    package func insertion(_ entities: [R.E], now: Date) -> TableWrite<[R.E]> {
        written(entities) { [self] db, entity in
            try EntityWrite(.insert, entity, self, now: now).run(db, isAlone: false).entity
        }
    }

    /// Writes all entities, in their order, and says what is stored.
    func written(
        _ entities: [R.E], _ write: @escaping @Sendable (Database, R.E) throws -> R.E
    ) -> TableWrite<[R.E]> {
        TableWrite { [name] db in
            var stored: [R.E] = []
            stored.reserveCapacity(entities.count)
            try db.withLateReferences(of: name, rows: entities.count) {
                for entity in entities { stored.append(try write(db, entity)) }
            }
            return stored
        }
    }
}
