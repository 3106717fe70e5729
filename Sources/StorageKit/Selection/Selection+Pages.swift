public import StorageRepo

extension Selection {
    /// A page of the selected rows, behind the last one of another page.
    ///
    /// The order may be any; ties are broken by id, those of groups by their keys and those of different rows by what is selected. What
    /// breaks ties need not be selected.
    ///
    /// - Parameters:
    ///   - cursor: Where the page before ended; nil for the first page.
    ///   - limit: How many items the page may have, at least 1.
    /// - Throws: As ``fetch()`` does, and ``StorageError/queryFailed(sql:underlying:)`` for a limit below 1, a cursor
    ///   of another table or order, or a selection that has a limit or offset of its own.
    public func page(after cursor: PageCursor? = nil, limit: Int = 50) async throws -> CursorPage<Row> {
        try await repository.run(repository.table.page(plan, selected, after: cursor, limit: limit))
    }

    /// A page behind a cursor in a transaction or a snapshot.
    ///
    /// - Throws: As ``page(after:limit:)`` does, and once the handle's closure has returned.
    public func page(
        after cursor: PageCursor? = nil, limit: Int = 50, in reading: some StorageReading
    ) throws -> CursorPage<Row> {
        try repository.run(repository.table.page(plan, selected, after: cursor, limit: limit), in: reading)
    }

    /// The selected rows one by one, however many there are, with a few hundred of them in memory at a time.
    ///
    /// The loop sees the database as it was when it began, also while others write. A database in memory has one connection
    /// only: there, all rows are read when the loop begins.
    ///
    /// - Returns: A sequence that throws as ``fetch()`` does, and can be walked any number of times.
    public func stream() -> SelectionStream<E, Row> {
        SelectionStream(selection: self)
    }
}

/// The rows of a selection, fetched little by little: see ``Selection/stream()``.
public struct SelectionStream<E: RegisteredEntity, Row: Sendable>: AsyncSequence, Sendable {
    /// A row of the selection.
    public typealias Element = Row
    /// Walks over the rows.
    public typealias Iterator = RowWalk<Row>

    let selection: Selection<E, Row>

    /// Begins at the first row.
    public func makeAsyncIterator() -> RowWalk<Row> {
        let repository = selection.repository
        return repository.table.walk(selection.plan, selection.selected, in: repository.db)
    }
}
