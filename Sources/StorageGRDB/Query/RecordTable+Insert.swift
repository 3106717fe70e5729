extension RecordTable {
    /// Inserts all entities, in their order, and says what is stored.
    package func insertion(_ entities: [R.E], now: Date) -> TableWrite<[R.E]> {
        TableWrite { db in
            try entities.map { try EntityWrite(.insert, $0, self, now: now).run(db, isAlone: false).entity }
        }
    }
}
