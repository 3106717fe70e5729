public import StorageRepo

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
    /// meanwhile shift nothing. Where an index serves the order, SQLite begins to read at the cursor, however far the page: at the first
    /// row that is like the last one in the first column of the order.
    ///
    /// - Parameters:
    ///   - cursor: Where the page before ended; nil for the first page.
    ///   - limit: How many items the page may have, at least 1.
    /// - Throws: As ``fetch()`` does, and ``StorageError/queryFailed(sql:underlying:)`` for a limit below 1, a cursor
    ///   of another table, order or ranking search, or a query that has a limit or offset of its own.
    public func page(after cursor: PageCursor? = nil, limit: Int = 50) async throws -> CursorPage<E> {
        try await repository.run(foundPage(after: cursor, limit: limit))
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
    public func stream() -> RowStream<E> {
        RowStream { [repository, plan, loaded] in repository.table.walk(plan, loading: loaded, in: repository.db) }
    }
}
