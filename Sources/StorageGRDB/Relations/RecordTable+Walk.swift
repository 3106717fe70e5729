extension RecordTable {
    /// A walk over the entities that a plan asks for, with relations filled.
    package func walk(_ plan: QueryPlan, loading paths: LoadedPaths, in db: DatabaseActor) -> RowWalk<R.E>
    where R.E: RegisteredEntity {
        RowWalk(of: self, in: db) {
            try plan.selectSQL()
        } read: { [self] rows, db in
            var entities: [R.E] = []
            try rows.forEachNext(db) { entities.append(try EntityCodec.decode(R.self, &$0)) }
            try paths.load(into: &entities, db, coders)
            return entities
        }
    }
}
