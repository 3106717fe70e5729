package import StorageGRDB

// Entities with relations filled. They are in no cache, since nobody forgets them when a related row changes.

extension GenericRepository where E: RegisteredEntity {
    /// What a plan asks for, observed with its relations.
    package func liveList(_ plan: QueryPlan, loading paths: LoadedPaths) -> LiveValue<[E]> {
        guard !paths.isEmpty else { return live.list(plan) }
        return live.unlessItFails {
            var others = plan.otherTablesRead
            others.add(paths.tablesRead)
            return live.value(try table.all(plan).loading(paths, table), reading: others)
        }
    }

    /// The repository of another entity in the same store, without caches.
    package func sibling<Other: RegisteredEntity>(_ type: Other.Type) -> GenericRepository<Other, Other.Record> {
        var config = config
        config.memoryCapacity = 0
        config.usesDiskCache = false
        return GenericRepository<Other, Other.Record>(db: db, config: config)
    }
}
