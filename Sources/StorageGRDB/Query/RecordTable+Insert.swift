extension RecordTable {
    /// Inserts all entities, in their order, and says what is stored.
    package func insertion(_ entities: [R.E], now: Date) -> TableWrite<[R.E]> {
        TableWrite { [self] db in
            var stored: [R.E] = []
            stored.reserveCapacity(entities.count)
            try db.withLateReferences(of: name, rows: entities.count) {
                for entity in entities {
                    stored.append(try EntityWrite(.insert, entity, self, now: now).run(db, isAlone: false).entity)
                }
            }
            return stored
        }
    }
}
