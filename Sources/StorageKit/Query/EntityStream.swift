public import StorageRepo

/// The entities of a query, fetched little by little: see ``Query/stream()``.
public struct EntityStream<E: RegisteredEntity>: AsyncSequence, Sendable {
    /// An entity of the query.
    public typealias Element = E

    let query: Query<E>

    /// Begins at the first entity.
    public func makeAsyncIterator() -> Iterator {
        Iterator(query: query)
    }

    /// Walks over the entities.
    public struct Iterator: AsyncIteratorProtocol {
        private var walk: RowWalk<E>

        init(query: Query<E>) {
            let repository = query.repository
            walk = repository.table.walk(query.plan, loading: query.loaded, in: repository.db)
        }

        /// The next entity, or nil behind the last.
        ///
        /// - Throws: As ``Query/fetch()`` does. After an error there are no more entities.
        public mutating func next() async throws -> E? {
            try await walk.next()
        }
    }
}
