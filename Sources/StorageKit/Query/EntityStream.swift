public import StorageRepo

/// The entities of a query, fetched little by little: see ``Query/stream()``.
public struct EntityStream<E: RegisteredEntity>: AsyncSequence, Sendable {
    /// An entity of the query.
    public typealias Element = E
    /// Walks over the entities.
    public typealias Iterator = RowWalk<E>

    let query: Query<E>

    /// Begins at the first entity.
    public func makeAsyncIterator() -> RowWalk<E> {
        let repository = query.repository
        return repository.table.walk(query.plan, loading: query.loaded, in: repository.db)
    }
}
