public import StorageRepo

/// A question whose rows are read as those of a ``Selection``: that itself, a ``JoinedQuery``, a ``SelectedQuery``.
///
/// Conformed to by StorageKit's types.
public protocol RowQuery<E, Row>: PlannedQuery {
    /// What each row gives: of joined entities a tuple, as `(Reminder, Person)`.
    associatedtype Row: Sendable

    /// The rows as a selection.
    var _rows: Selection<E, Row> { get }
}

extension RowQuery {
    /// The rows, in order.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for what cannot be asked, a value that was calculated beyond the range
    ///   of its type, or an error of SQLite; ``StorageError/entityDecodingFailed(type:underlying:)`` for a broken row.
    public func fetch() async throws -> [Row] {
        try await repository.run(_rows.all())
    }

    /// The first row, or nil. SQLite reads no further than that row where no order makes it.
    ///
    /// - Throws: As ``fetch()`` does.
    public func fetchOne() async throws -> Row? {
        try await repository.run(_rows.first())
    }

    /// A page of the rows, behind the last one of another page.
    ///
    /// The order may be any. Ties are broken by what the rows are known by, selected or not: the id of the entity, the ids of joined ones,
    /// the keys of groups, and all columns behind ``Selection/distinct()``.
    ///
    /// - Parameters:
    ///   - cursor: Where the page before ended; nil for the first page.
    ///   - limit: How many items the page may have, at least 1.
    /// - Throws: As ``fetch()`` does, and ``StorageError/queryFailed(sql:underlying:)`` for a limit below 1, a cursor
    ///   of another table or order, or a question that has a limit or offset of its own.
    public func page(after cursor: PageCursor? = nil, limit: Int = 50) async throws -> CursorPage<Row> {
        try await repository.run(_rows.page(after: cursor, limit))
    }

    /// The rows one by one, however many there are, with a few hundred of them in memory at a time.
    ///
    /// The loop sees the database as it was when it began, also while others write. A database in memory has one connection
    /// only: there, all rows are read when the loop begins.
    ///
    /// - Returns: A sequence that throws as ``fetch()`` does, and can be walked any number of times.
    public func stream() -> RowStream<Row> {
        let rows = _rows
        return RowStream { rows.repository.table.walk(rows.plan, rows.selected, in: rows.repository.db) }
    }
}

// MARK: - Observing

extension RowQuery {
    /// The rows, now and after each change that could affect them. The loop has each value on its own actor.
    ///
    /// After a change of a selection only what it can have changed is read: the rows of the query's own table that changed, those that
    /// refer to a changed row or are referred to by one, and of groups those that a changed row belongs to and belonged to. What is
    /// distinct, joined or searched for, and groups by what is calculated, are read again as a whole. An error does not end the stream.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer. With the default only the newest does, which always
    ///     arrives.
    ///   - onError: Called with each error that ``fetch()`` would throw; nil calls the store's `onObservationError`.
    public func observe(
        bufferingPolicy: AsyncStream<[Row]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[Row]> {
        _rows.live.stream(bufferingPolicy: bufferingPolicy, onError: onError)
    }
}

extension RowQuery where Row: Equatable {
    /// Like ``RowQuery/observe(bufferingPolicy:onError:)``, without a list equal to the one before.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer.
    ///   - onError: Called with each error; nil calls the store's `onObservationError`.
    public func observeDistinct(
        bufferingPolicy: AsyncStream<[Row]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[Row]> {
        _rows.live.stream(bufferingPolicy: bufferingPolicy, isRepeated: ==, onError: onError)
    }
}

// MARK: - In a transaction

extension RowQuery {
    /// The rows in a transaction or a snapshot, in order.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetch(in reading: some StorageReading) throws -> [Row] {
        try repository.run(_rows.all(), in: reading)
    }

    /// The first row in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetchOne(in reading: some StorageReading) throws -> Row? {
        try repository.run(_rows.first(), in: reading)
    }

    /// A page behind a cursor in a transaction or a snapshot.
    ///
    /// - Throws: As ``page(after:limit:)`` does, and once the handle's closure has returned.
    public func page(
        after cursor: PageCursor? = nil, limit: Int = 50, in reading: some StorageReading
    ) throws -> CursorPage<Row> {
        try repository.run(_rows.page(after: cursor, limit), in: reading)
    }
}
