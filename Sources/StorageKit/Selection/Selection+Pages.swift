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
    public func page(after cursor: PageCursor? = nil, limit: Int) async throws -> CursorPage<Row> {
        try await repository.run(cursorPage(after: cursor, limit: limit))
    }

    /// A page behind a cursor in a transaction or a snapshot.
    ///
    /// - Throws: As ``page(after:limit:)`` does, and once the handle's closure has returned.
    public func page(
        after cursor: PageCursor? = nil, limit: Int, in reading: some StorageReading
    ) throws -> CursorPage<Row> {
        try repository.run(cursorPage(after: cursor, limit: limit), in: reading)
    }

    private func cursorPage(after cursor: PageCursor?, limit: Int) throws -> TableRead<CursorPage<Row>> {
        try QueryPlan.check(pageLimit: limit)
        guard plan.limit == nil, plan.offset == nil else {
            throw StorageError.invalidQuery("a page has a limit of its own, and goes on behind a cursor")
        }
        return try repository.table.stretch(plan, selected, after: cursor, limit: limit)
            .map { CursorPage(items: $0.items, next: $0.next) }
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

    let selection: Selection<E, Row>

    /// Begins at the first row.
    public func makeAsyncIterator() -> Iterator {
        Iterator(selection: selection)
    }

    /// Walks over the rows.
    public struct Iterator: AsyncIteratorProtocol {
        private var walk: RowWalk<Row>

        init(selection: Selection<E, Row>) {
            let repository = selection.repository
            walk = repository.table.walk(selection.plan, selection.selected, in: repository.db)
        }

        /// The next row, or nil behind the last.
        ///
        /// - Throws: As ``Selection/fetch()`` does. After an error there are no more rows.
        public mutating func next() async throws -> Row? {
            try await walk.next()
        }
    }
}
