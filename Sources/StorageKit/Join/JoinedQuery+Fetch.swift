public import StorageRepo

extension JoinedQuery {
    /// The entities of each row, in order: `[(Reminder, Person)]`.
    ///
    /// - Throws: As ``Selection/fetch()`` does.
    public func fetch() async throws -> [Rows.Values] {
        try await entities.fetch()
    }

    /// The entities of the first row, or nil. SQLite reads no further than that row.
    ///
    /// - Throws: As ``fetch()`` does.
    public func fetchOne() async throws -> Rows.Values? {
        try await entities.fetchOne()
    }

    /// Whether there is any row. SQLite reads no further than the first.
    ///
    /// - Throws: As ``fetch()`` does.
    public func exists() async throws -> Bool {
        try await repository.run(repository.table.exists(plan))
    }

    /// How many rows ``fetch()`` would return.
    ///
    /// - Throws: As ``fetch()`` does.
    public func count() async throws -> Int {
        try await repository.run(repository.table.count(plan))
    }

    /// A page of the rows, behind the last one of another page. Ties of the order are broken by the ids of all entities.
    ///
    /// - Parameters:
    ///   - cursor: Where the page before ended; nil for the first page.
    ///   - limit: How many items the page may have, at least 1.
    /// - Throws: As ``Selection/page(after:limit:)`` does.
    public func page(
        after cursor: PageCursor? = nil, limit: Int
    ) async throws -> CursorPage<Rows.Values> {
        try await entities.page(after: cursor, limit: limit)
    }

    /// The rows one by one, however many there are, with a few hundred of them in memory at a time.
    ///
    /// - Returns: A sequence that throws as ``fetch()`` does, and can be walked any number of times.
    public func stream() -> SelectionStream<E, Rows.Values> {
        entities.stream()
    }

    /// The rows, now and after each change of a table that they are of. Delivered on the main actor.
    ///
    /// All of them are read again after each such change. An error does not end the stream.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer.
    ///   - onError: Called with each error that ``fetch()`` would throw; nil calls the store's `onObservationError`.
    public func observe(
        bufferingPolicy: AsyncStream<[Rows.Values]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[Rows.Values]> {
        entities.observe(bufferingPolicy: bufferingPolicy, onError: onError)
    }

    /// How many rows there are, now and whenever the number becomes another. Delivered on the main actor.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - onError: Called with each error; nil calls the store's `onObservationError`.
    public func observeCount(
        bufferingPolicy: AsyncStream<Int>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<Int> {
        repository.live.count(plan).stream(bufferingPolicy: bufferingPolicy, isRepeated: ==, onError: onError)
    }
}

// MARK: - In a transaction

extension JoinedQuery {
    /// The entities of each row in a transaction or a snapshot, in order.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetch(in reading: some StorageReading) throws -> [Rows.Values] {
        try entities.fetch(in: reading)
    }

    /// The entities of the first row in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetchOne(in reading: some StorageReading) throws -> Rows.Values? {
        try entities.fetchOne(in: reading)
    }

    /// Whether there is any row in a transaction or a snapshot.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func exists(in reading: some StorageReading) throws -> Bool {
        try repository.run(repository.table.exists(plan), in: reading)
    }

    /// How many rows there are in a transaction or a snapshot.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func count(in reading: some StorageReading) throws -> Int {
        try repository.run(repository.table.count(plan), in: reading)
    }

    /// A page behind a cursor in a transaction or a snapshot.
    ///
    /// - Throws: As ``page(after:limit:)`` does, and once the handle's closure has returned.
    public func page(
        after cursor: PageCursor? = nil, limit: Int, in reading: some StorageReading
    ) throws -> CursorPage<Rows.Values> {
        try entities.page(after: cursor, limit: limit, in: reading)
    }
}
