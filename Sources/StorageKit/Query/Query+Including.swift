public import StorageRepo

extension Query {
    /// Fills a relation in the entities: one more statement for all of them, however many they are.
    ///
    /// ```swift
    /// let lists = try await storage.query(RemindersList.self).including(\.reminders).including(\.reminders.tags).fetch()
    /// // SELECT ... FROM "reminderslists"
    /// // SELECT ... FROM "reminders" JOIN json_each(?) AS "storagekit_parents" ON "reminders"."listId" = "storagekit_parents"."value" ...
    /// // SELECT ... FROM "tags" JOIN (SELECT DISTINCT ... FROM json_each(?) ... JOIN "taggings" ...) AS "storagekit_parents" ...
    /// ```
    ///
    /// All statements read one state of the database. Relations that are not named stay empty, as those on the way do not:
    /// `\.reminders.tags` fills the reminders too. Related entities come by id. An entity with relations filled enters no
    /// cache, and a save ignores them. A stream hears of every table that it reads. Entities that a `select` or a join gives are not
    /// filled: the query throws.
    ///
    /// - Parameter relation: The relation: `\.reminders`, `\.list`, `\.reminders.tags`. The query throws if it was named before, or
    ///   has no property that can be set.
    public func including<Relation: LoadableRelation>(_ relation: KeyPath<ColumnRef<E>, Relation>) -> Query<E> {
        including(relation, plan: nil, LoadedPaths())
    }

    /// Fills a relation with some of the related entities, in an order.
    ///
    /// ```swift
    /// storage.query(RemindersList.self).including(\.reminders) { $0.where { $0.isFlagged }.orderBy(\.position).limit(5) }
    /// // SELECT ... FROM (SELECT ..., ROW_NUMBER() OVER (PARTITION BY "storagekit_parents"."key"
    /// //     ORDER BY "reminders"."position" ASC, "reminders"."id" ASC) AS "storagekit_number" ...) WHERE "storagekit_number" <= ?
    /// ```
    ///
    /// - Parameters:
    ///   - relation: The relation.
    ///   - related: Says which of the related entities are wanted. A limit and an offset count for each entity of this query.
    public func including<Relation: LoadableRelation>(
        _ relation: KeyPath<ColumnRef<E>, Relation>,
        _ related: (Query<Relation.Related>) -> Query<Relation.Related>
    ) -> Query<E> {
        let query = related(Query<Relation.Related>(repository: repository.sibling(Relation.Related.self)))
        return including(relation, plan: query.plan, query.loaded)
    }

    private func including<Relation: LoadableRelation>(
        _ relation: KeyPath<ColumnRef<E>, Relation>, plan related: QueryPlan?, _ others: LoadedPaths
    ) -> Query<E> {
        var query = self
        do {
            let path = try ColumnRef<E>()[keyPath: relation]._loaded().relations
            if !query._question.loaded.add(path, related, others) {
                // Of the key path that the app wrote nobody knows the letters; those of the properties have names.
                let names = path.map { "\($0.property)" }.joined(separator: ", then ")
                query._question.plan.add(.invalid("\(names) is included twice"))
            }
        } catch {
            query._question.plan.add(.invalid(error.reason))
        }
        return query
    }

    /// The entities with what is to be filled in them.
    func found() throws -> TableRead<[E]> {
        let table = repository.table
        return try table.all(plan).loading(loaded, table)
    }

    /// A page of them.
    func foundPage(after cursor: PageCursor?, limit: Int) throws -> TableRead<CursorPage<E>> {
        let table = repository.table
        return try table.page(plan, after: cursor, limit: limit).loading(loaded, table)
    }

    /// What the query's search finds, each with its rank.
    func foundHits(_ passage: SearchPassage?) throws -> TableRead<[SearchResult<E>]> {
        let table = repository.table
        return try table.hits(plan, passage: passage).loading(loaded, table)
    }
}
