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
        private let query: Query<E>
        private var reader: (any DatabaseReader)?
        private var buffer: [E] = []
        private var position = 0
        private var cursor: PageCursor?
        private var isAtEnd = false
        /// How many entities the query's limit still allows.
        private var remaining: Int

        init(query: Query<E>) {
            self.query = query
            remaining = query.plan.limit ?? .max
        }

        /// The next entity, or nil behind the last.
        ///
        /// - Throws: As ``Query/fetch()`` does. After an error there are no more entities.
        public mutating func next() async throws -> E? {
            if position == buffer.count, !isAtEnd { try await fetch() }
            guard position < buffer.count else { return nil }
            defer { position += 1 }
            return buffer[position]
        }

        private mutating func fetch() async throws {
            buffer = []
            position = 0
            isAtEnd = true
            guard remaining != 0 else {
                // A query that cannot be asked is reported, and not taken for an end.
                _ = try query.sql
                return
            }
            var plan = query.plan
            // The rows passed over lie before the first cursor.
            if cursor != nil { plan.offset = nil }
            let count = remaining < 0 ? remaining : Swift.min(remaining, Iterator.rowsAtATime)
            let reading: any DatabaseReader
            if let reader { reading = reader } else { reading = try await query.repository.snapshot() }
            // Given back at the end, and after an error.
            reader = nil
            let stretch = try await query.repository.stretch(
                plan, loading: query.loaded, after: cursor, limit: count, in: reading)
            buffer = stretch.items
            remaining -= buffer.count
            cursor = stretch.next
            isAtEnd = cursor == nil || remaining == 0
            if !isAtEnd { reader = reading }
        }

        private static var rowsAtATime: Int { 256 }
    }
}
