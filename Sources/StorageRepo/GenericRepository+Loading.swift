package import StorageGRDB

// Entities with relations filled. They are in no cache, since nobody forgets them when a related row changes.

extension GenericRepository where E: RegisteredEntity {
    /// The entities that a plan asks for, with relations filled.
    package func fetch(_ plan: QueryPlan, loading paths: LoadedPaths) throws -> TableRead<[E]> {
        try table.all(plan).loading(paths, table)
    }

    /// What a plan's search finds, with relations filled.
    package func hits(
        _ plan: QueryPlan, loading paths: LoadedPaths, passage: SearchPassage?
    ) throws -> TableRead<[SearchResult<E>]> {
        try table.hits(plan, passage: passage).loading(paths, table)
    }

    /// A page of a plan's rows, with relations filled.
    package func page(
        _ plan: QueryPlan, loading paths: LoadedPaths, after cursor: PageCursor?, limit: Int
    ) throws -> TableRead<CursorPage<E>> {
        try table.page(plan, after: cursor, limit: limit).loading(paths, table)
    }

    /// What a plan asks for, observed with its relations.
    package func liveList(_ plan: QueryPlan, loading paths: LoadedPaths) -> LiveValue<[E]> {
        guard !paths.isEmpty else { return live.list(plan) }
        return live.unlessItFails {
            var others = plan.otherTablesRead
            others.add(paths.tablesRead)
            return live.value(try fetch(plan, loading: paths), reading: others)
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
