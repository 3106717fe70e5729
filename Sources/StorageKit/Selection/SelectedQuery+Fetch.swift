public import StorageRepo

extension SelectedQuery {
    /// The rows, in order.
    ///
    /// - Throws: As ``Selection/fetch()`` does.
    public func fetch() async throws -> [Row] {
        try await asSelection().fetch()
    }

    /// The first row, or nil. SQLite reads no further than that row where no order makes it.
    ///
    /// - Throws: As ``Selection/fetch()`` does.
    public func fetchOne() async throws -> Row? {
        try await asSelection().fetchOne()
    }

    /// How many rows ``fetch()`` would return.
    ///
    /// - Throws: As ``Selection/fetch()`` does.
    public func count() async throws -> Int {
        try await asSelection().count()
    }

    /// A page of the rows, behind the last one of another page.
    ///
    /// Ties of the order are broken by what the rows of the selection are known by, selected or not: the id of the entity, the ids of joined
    /// ones, the keys of groups, and all columns behind ``Selection/distinct()``.
    ///
    /// - Parameters:
    ///   - cursor: Where the page before ended; nil for the first page.
    ///   - limit: How many items the page may have, at least 1.
    /// - Throws: As ``Selection/page(after:limit:)`` does.
    public func page(after cursor: PageCursor? = nil, limit: Int) async throws -> CursorPage<Row> {
        try await asSelection().page(after: cursor, limit: limit)
    }

    /// The rows one by one, however many there are, with a few hundred of them in memory at a time.
    ///
    /// - Returns: A sequence that throws as ``fetch()`` does, and can be walked any number of times.
    public func stream() -> SelectionStream<E, Row> {
        asSelection().stream()
    }

    /// The rows, now and after each change of a table that the selection reads. Delivered on the main actor.
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
        asSelection().observe(bufferingPolicy: bufferingPolicy, onError: onError)
    }
}

extension SelectedQuery where Row: Equatable {
    /// Like ``SelectedQuery/observe(bufferingPolicy:onError:)``, without a list equal to the one before.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer.
    ///   - onError: Called with each error; nil calls the store's `onObservationError`.
    public func observeDistinct(
        bufferingPolicy: AsyncStream<[Row]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[Row]> {
        asSelection().observeDistinct(bufferingPolicy: bufferingPolicy, onError: onError)
    }
}

// MARK: - In a transaction

extension SelectedQuery {
    /// The rows in a transaction or a snapshot, in order.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetch(in reading: some StorageReading) throws -> [Row] {
        try asSelection().fetch(in: reading)
    }

    /// The first row in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetchOne(in reading: some StorageReading) throws -> Row? {
        try asSelection().fetchOne(in: reading)
    }

    /// How many rows there are in a transaction or a snapshot.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func count(in reading: some StorageReading) throws -> Int {
        try asSelection().count(in: reading)
    }

    /// A page behind a cursor in a transaction or a snapshot.
    ///
    /// - Throws: As ``page(after:limit:)`` does, and once the handle's closure has returned.
    public func page(
        after cursor: PageCursor? = nil, limit: Int, in reading: some StorageReading
    ) throws -> CursorPage<Row> {
        try asSelection().page(after: cursor, limit: limit, in: reading)
    }
}
