public import StorageRepo

extension JoinedQuery: RowQuery {
    /// The entities of each row, as a selection.
    public var _rows: Selection<E, Rows.Values> { entities }

    /// Whether there is any row. SQLite reads no further than the first.
    ///
    /// - Throws: As ``RowQuery/fetch()`` does.
    public func exists() async throws -> Bool {
        try await repository.run(repository.table.exists(plan))
    }

    /// Whether there is any row in a transaction or a snapshot.
    ///
    /// - Throws: As ``RowQuery/fetch()`` does, and once the handle's closure has returned.
    public func exists(in reading: some StorageReading) throws -> Bool {
        try repository.run(repository.table.exists(plan), in: reading)
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
