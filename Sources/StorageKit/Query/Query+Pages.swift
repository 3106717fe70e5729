public import StorageRepo

/// A page of a query's entities, and where the next one begins.
public struct CursorPage<E: Sendable>: Sendable {
    /// The entities, in the query's order.
    public let items: [E]
    /// Hand it to `page(after:limit:)` for the next page; nil if this is the last.
    public let next: PageCursor?
    /// Whether there is another page with at least one item.
    public var hasMore: Bool { next != nil }
}

extension CursorPage: Equatable where E: Equatable {}

extension Query {
    /// A page of the matching entities, behind the last one of another page.
    ///
    /// ```swift
    /// let query = storage.query(Post.self).orderBy(\.createdAt, .descending)
    /// let first = try await query.page(limit: 20)
    /// let second = try await query.page(after: first.next, limit: 20)
    /// ```
    ///
    /// The order may be any; ties are broken by id, in the direction of the last order. Rows that are inserted or deleted
    /// meanwhile shift nothing. Where an index serves the order and its columns are not optional, SQLite begins to read
    /// at the cursor, however far the page.
    ///
    /// - Parameters:
    ///   - cursor: Where the page before ended; nil for the first page.
    ///   - limit: How many items the page may have, at least 1.
    /// - Throws: As ``fetch()`` does, and ``StorageError/queryFailed(sql:underlying:)`` for a limit below 1, a cursor
    ///   of another table, order or ranking search, or a query that has a limit or offset of its own.
    public func page(after cursor: PageCursor? = nil, limit: Int) async throws -> CursorPage<E> {
        try await repository.run(cursorPage(after: cursor, limit: limit))
    }

    func cursorPage(after cursor: PageCursor?, limit: Int) throws -> TableRead<CursorPage<E>> {
        try QueryPlan.check(pageLimit: limit)
        guard plan.limit == nil, plan.offset == nil else {
            throw StorageError.invalidQuery("a page has a limit of its own, and goes on behind a cursor")
        }
        return try repository.stretch(plan, loading: loaded, after: cursor, limit: limit)
            .map { CursorPage(items: $0.items, next: $0.next) }
    }

    /// The matching entities one by one, however many there are, with a few hundred of them in memory at a time.
    ///
    /// ```swift
    /// for try await user in storage.query(User.self).orderBy(\.name).stream() {
    ///     try await export(user)
    /// }
    /// ```
    ///
    /// The loop sees the database as it was when it began, also while others write. The rows are found once, and sorted once, whatever
    /// the order. (A database in memory has one connection only: there, all of them are read when the loop begins.)
    ///
    /// - Returns: A sequence that throws as ``fetch()`` does, and can be walked any number of times.
    public func stream() -> EntityStream<E> {
        EntityStream(query: self)
    }
}
