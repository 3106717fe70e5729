public import StorageRepo

/// What is made of all rows of a query: what `aggregate` of a ``Query`` returns. There is always one such row, were it
/// made of none.
public struct OneRow<E: RegisteredEntity, Row: Sendable>: Sendable {
    package let selection: Selection<E, Row>

    /// The row.
    ///
    /// - Throws: As ``RowQuery/fetch()`` does.
    public func fetchOne() async throws -> Row? {
        try await selection.fetchOne()
    }

    /// The row in a transaction or a snapshot.
    ///
    /// - Throws: As ``RowQuery/fetch()`` does, and once the handle's closure has returned.
    public func fetchOne(in reading: some StorageReading) throws -> Row? {
        try selection.fetchOne(in: reading)
    }

    /// The one value of the row, for a condition or a selection of another query.
    ///
    /// ```swift
    /// let mean = storage.query(User.self).aggregate { $0.avg(\.weight) }
    /// storage.query(User.self).where { $0.weight > mean.value }
    /// // SELECT ... FROM "users" WHERE "weight" > (SELECT AVG("users"."weight") FROM "users")
    /// ```
    ///
    /// The query that it stands in throws where the row has several values.
    public var value: Column<Row> { selection.scalar() }

    /// The row, now and after each change that could affect it. The loop has each value on its own actor.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many rows wait for a slow consumer.
    ///   - onError: Called with each error; nil calls the store's `onObservationError`.
    public func observe(
        bufferingPolicy: AsyncStream<Row?>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<Row?> {
        selection.live.map { $0.first }.stream(bufferingPolicy: bufferingPolicy, onError: onError)
    }
}

extension OneRow where Row: Equatable {
    /// Like ``OneRow/observe(bufferingPolicy:onError:)``, without a row equal to the one before.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many rows wait for a slow consumer.
    ///   - onError: Called with each error; nil calls the store's `onObservationError`.
    public func observeDistinct(
        bufferingPolicy: AsyncStream<Row?>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<Row?> {
        selection.live.map { $0.first }.stream(bufferingPolicy: bufferingPolicy, isRepeated: ==, onError: onError)
    }
}

// MARK: - The first row of a selection

extension Selection {
    /// The one value of the first row, nil where there is no row, for a condition or a selection of another query.
    ///
    /// ```swift
    /// let last = storage.query(Entry.self).orderBy(\.position, .descending).select(\.position)
    /// storage.query(Entry.self).where { $0.position == last.value }
    /// // SELECT ... FROM "entries" WHERE "position" = (SELECT "position" FROM "entries" ORDER BY "position" DESC)
    /// ```
    ///
    /// The query that it stands in throws where the row has several values.
    @_disfavoredOverload
    public var value: Column<Row?> { scalar() }

    fileprivate func scalar<T>() -> Column<T> {
        guard selected.nodes.count == 1 else {
            return Column(.invalid("a row of \(selected.nodes.count) values is not one value"))
        }
        return Column(.scalar(plan))
    }
}

extension Selection where Row: OptionalColumnValue {
    /// The one value of the first row, nil where there is no row, for a condition or a selection of another query.
    public var value: Column<Row> { scalar() }
}
