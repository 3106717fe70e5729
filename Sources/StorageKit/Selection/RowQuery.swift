public import StorageRepo

/// A question whose rows are read as those of a ``Selection``: a ``JoinedQuery``, a ``SelectedQuery``.
///
/// Conformed to by StorageKit's types.
public protocol RowQuery<E, Row>: Sendable {
    /// The entity whose table is asked first.
    associatedtype E: RegisteredEntity
    /// What each row gives: of joined entities a tuple, as `(Reminder, Person)`.
    associatedtype Row: Sendable

    /// The rows as a selection.
    var _rows: Selection<E, Row> { get }
}

extension RowQuery {
    /// The rows, in order.
    ///
    /// - Throws: As ``Selection/fetch()`` does.
    public func fetch() async throws -> [Row] {
        try await _rows.fetch()
    }

    /// The first row, or nil. SQLite reads no further than that row where no order makes it.
    ///
    /// - Throws: As ``Selection/fetch()`` does.
    public func fetchOne() async throws -> Row? {
        try await _rows.fetchOne()
    }

    /// How many rows ``fetch()`` would return.
    ///
    /// - Throws: As ``Selection/fetch()`` does.
    public func count() async throws -> Int {
        try await _rows.count()
    }

    /// A page of the rows, behind the last one of another page.
    ///
    /// Ties of the order are broken by what the rows are known by, selected or not: the id of the entity, the ids of joined ones, the
    /// keys of groups, and all columns behind ``Selection/distinct()``.
    ///
    /// - Parameters:
    ///   - cursor: Where the page before ended; nil for the first page.
    ///   - limit: How many items the page may have, at least 1.
    /// - Throws: As ``Selection/page(after:limit:)`` does.
    public func page(after cursor: PageCursor? = nil, limit: Int = 50) async throws -> CursorPage<Row> {
        try await _rows.page(after: cursor, limit: limit)
    }

    /// The rows one by one, however many there are, with a few hundred of them in memory at a time.
    ///
    /// - Returns: A sequence that throws as ``fetch()`` does, and can be walked any number of times.
    public func stream() -> SelectionStream<E, Row> {
        _rows.stream()
    }

    /// The rows, now and after each change of a table that is read for them. Delivered on the main actor.
    ///
    /// All of them are read again after each such change. An error does not end the stream.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer.
    ///   - onError: Called with each error that ``fetch()`` would throw; nil calls the store's `onObservationError`.
    public func observe(
        bufferingPolicy: AsyncStream<[Row]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[Row]> {
        _rows.observe(bufferingPolicy: bufferingPolicy, onError: onError)
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
        _rows.observeDistinct(bufferingPolicy: bufferingPolicy, onError: onError)
    }
}

// MARK: - In a transaction

extension RowQuery {
    /// The rows in a transaction or a snapshot, in order.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetch(in reading: some StorageReading) throws -> [Row] {
        try _rows.fetch(in: reading)
    }

    /// The first row in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetchOne(in reading: some StorageReading) throws -> Row? {
        try _rows.fetchOne(in: reading)
    }

    /// How many rows there are in a transaction or a snapshot.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func count(in reading: some StorageReading) throws -> Int {
        try _rows.count(in: reading)
    }

    /// A page behind a cursor in a transaction or a snapshot.
    ///
    /// - Throws: As ``page(after:limit:)`` does, and once the handle's closure has returned.
    public func page(
        after cursor: PageCursor? = nil, limit: Int = 50, in reading: some StorageReading
    ) throws -> CursorPage<Row> {
        try _rows.page(after: cursor, limit: limit, in: reading)
    }
}
