public import StorageRepo

extension PlannedQuery {
    /// Whether there is any row, or group. SQLite reads no further than the first.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for what cannot be asked, or an error of SQLite.
    public func exists() async throws -> Bool {
        try await repository.run(repository.table.exists(plan))
    }

    /// How many rows, or groups, there are, without fetching them. A limit and an offset count.
    ///
    /// - Throws: As ``exists()`` does.
    public func count() async throws -> Int {
        try await repository.run(repository.table.count(plan))
    }

    /// Whether there is any row in a transaction or a snapshot.
    ///
    /// - Throws: As ``exists()`` does, and once the handle's closure has returned.
    public func exists(in reading: some StorageReading) throws -> Bool {
        try repository.run(repository.table.exists(plan), in: reading)
    }

    /// How many rows there are in a transaction or a snapshot.
    ///
    /// - Throws: As ``exists()`` does, and once the handle's closure has returned.
    public func count(in reading: some StorageReading) throws -> Int {
        try repository.run(repository.table.count(plan), in: reading)
    }

    /// How many rows there are, now and whenever the number becomes another. The loop has each value on its own actor.
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
