/// A write of a table that is put together and not yet run.
package struct TableWrite<Value>: Sendable {
    let body: @Sendable (Database) throws -> Value

    /// Runs it in a transaction that goes on. A constraint that it breaks is thrown as a `ConstraintViolation`.
    func run(_ db: Database) throws -> Value {
        try db.namingConstraints { try body(db) }
    }
}

extension RecordTable {
    /// Deletes the row with that id, if there is one.
    ///
    /// - Parameter id: Nil for one that no row can have.
    package func deletion(id: StoredValue?) -> TableWrite<Void> {
        TableWrite { [self] db in
            if let id { try db.delete(id: id, from: self, isAlone: false) }
        }
    }

    /// Deletes the rows that a plan asks for, and says how many they were.
    package func deletion(_ plan: QueryPlan) throws -> TableWrite<Int> {
        let query = try plan.deleteSQL()
        return TableWrite { db in
            try db.readSchema()
            try db.execute(query)
            return db.changesCount
        }
    }

    /// Sets columns of the rows that a plan asks for, and says how many they were.
    package func update(
        _ plan: QueryPlan, set assignments: [ColumnAssignment], now: Date
    ) throws -> TableWrite<Int> {
        guard !assignments.isEmpty else { return TableWrite(body: try count(plan).body) }
        var plan = plan
        let requirements = assignments.compactMap(\.requirement)
        // A limit and an offset count the rows that are passed over too.
        if !requirements.isEmpty { plan = plan.remaining() }
        for requirement in requirements { plan.add(requirement) }
        let values = try assignments.checked(in: self, now: now)
        var query = try plan.updateSQL(values, counting: sql.versionColumn)
        query.jsonColumns.formUnion(assignments.filter(\.isInJSON).map(\.column))
        return TableWrite { [query] db in
            try db.execute(query)
            return db.changesCount
        }
    }

    /// Saves all entities; a later one with the same id wins.
    package func save(_ entities: [R.E], now: Date) -> TableWrite<Void> {
        TableWrite { db in try db.saveAll(entities, into: self, now: now) }
    }

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
