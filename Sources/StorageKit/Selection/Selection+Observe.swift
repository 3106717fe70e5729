public import StorageRepo

extension Selection {
    /// The selected rows, now and after each change that could affect them. Delivered on the main actor.
    ///
    /// After a change only what it can have changed is read: the rows of the query's own table that changed, those that refer to a
    /// changed row or are referred to by one, and of groups those that a changed row belongs to and belonged to. What is distinct,
    /// joined or searched for, and groups by what is calculated, are read again as a whole. An error does not end the stream.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer. With the default only the newest does, which always
    ///     arrives.
    ///   - onError: Called with each error that ``fetch()`` would throw; nil calls the store's `onObservationError`.
    public func observe(
        bufferingPolicy: AsyncStream<[Row]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[Row]> {
        live.stream(bufferingPolicy: bufferingPolicy, onError: onError)
    }

    package var live: LiveValue<[Row]> { repository.live.selection(plan, selected) }
}

extension Selection where Row: Equatable {
    /// Like ``Selection/observe(bufferingPolicy:onError:)``, without a list equal to the one before.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer.
    ///   - onError: Called with each error; nil calls the store's `onObservationError`.
    public func observeDistinct(
        bufferingPolicy: AsyncStream<[Row]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[Row]> {
        live.stream(bufferingPolicy: bufferingPolicy, isRepeated: ==, onError: onError)
    }
}
