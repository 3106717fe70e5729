public import StorageRepo

extension Query {
    /// The matching entities, now and after each change that could affect them. The loop has each value on its own actor.
    ///
    /// ```swift
    /// let adults = storage.query(User.self).where { $0.age >= 18 }.orderBy("name")
    /// for await users in adults.observe() {
    ///     show(users)
    /// }
    /// ```
    ///
    /// The list is read once. After that only the rows that a commit can have changed are read, and put in their places: those that
    /// changed, those that refer to a changed row by a path, those whose to-many relations a changed row belongs to or belonged to.
    /// All of them are read again where a limit makes room for a row that is not known, nobody knows which rows changed, relations
    /// are included, or the query searches, since each row changes the ranks of all. A commit that changes none of the columns that are
    /// read costs nothing.
    /// An error does not end the stream.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer. With the default only the newest does, which always
    ///     arrives.
    ///   - onError: Called with each error that ``fetch()`` would throw; nil calls the store's `onObservationError`.
    public func observe(
        bufferingPolicy: AsyncStream<[E]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[E]> {
        live.stream(bufferingPolicy: bufferingPolicy, onError: onError)
    }

    /// Like ``observe(bufferingPolicy:onError:)``, without a list equal to the one before.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer.
    ///   - onError: Called with each error; nil calls the store's `onObservationError`.
    public func observeDistinct(
        bufferingPolicy: AsyncStream<[E]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[E]> {
        live.stream(bufferingPolicy: bufferingPolicy, isRepeated: ==, onError: onError)
    }

    /// The first matching entity, now and after each change that could affect it; nil while there is none. The loop has
    /// each value on its own actor.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - onError: Called with each error; nil calls the store's `onObservationError`.
    public func observeOne(
        bufferingPolicy: AsyncStream<E?>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<E?> {
        one.live.map { $0.first }.stream(bufferingPolicy: bufferingPolicy, onError: onError)
    }

    package var live: LiveValue<[E]> { repository.liveList(plan, loading: loaded) }
}
