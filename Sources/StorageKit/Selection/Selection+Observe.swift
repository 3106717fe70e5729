public import StorageRepo

extension Selection {
    /// The selected rows, now and after each change that could affect them. Delivered on the main actor.
    ///
    /// All of them are read again after each such change. An error does not end the stream.
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
