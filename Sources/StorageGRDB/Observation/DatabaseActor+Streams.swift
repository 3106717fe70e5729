public import GRDB

extension DatabaseActor {
    /// A stream of what the closure reads: first the current value, then a new one after each commit.
    ///
    /// Values may be skipped while the consumer is busy, as the buffering policy says; with the default the
    /// last one always arrives. An error goes to `onError` and does not end the stream. Cancelling the task
    /// that reads the stream, or dropping it, ends the observation.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - onError: Called with each error of the closure.
    ///   - value: What to read.
    public func stream<T: Sendable>(
        bufferingPolicy: AsyncStream<T>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil,
        tracking value: @escaping @Sendable (Database) throws -> T
    ) -> AsyncStream<T> {
        live { [self] in LiveClosure(db: self, value: value) }
            .stream(bufferingPolicy: bufferingPolicy, onError: onError, tellsErrorsAnywhere: true)
    }

    /// The same as ``stream(bufferingPolicy:onError:tracking:)``: values come from the thread that read them, with no hop to
    /// the main actor.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - onError: Called with each error of the closure.
    ///   - value: What to read.
    public func streamImmediate<T: Sendable>(
        bufferingPolicy: AsyncStream<T>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil,
        tracking value: @escaping @Sendable (Database) throws -> T
    ) -> AsyncStream<T> {
        stream(bufferingPolicy: bufferingPolicy, onError: onError, tracking: value)
    }

    /// Like ``stream(bufferingPolicy:onError:tracking:)``, with errors told on the main actor.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - onError: Called with each error of the closure, on the main actor.
    ///   - value: What to read.
    public func streamOnMainActor<T: Sendable>(
        bufferingPolicy: AsyncStream<T>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil,
        tracking value: @escaping @Sendable (Database) throws -> T
    ) -> AsyncStream<T> {
        live { [self] in LiveClosure(db: self, value: value) }
            .stream(bufferingPolicy: bufferingPolicy, onError: onError)
    }

    /// Like ``streamOnMainActor(bufferingPolicy:onError:tracking:)``, without values equal to the one before.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - onError: Called with each error of the closure, on the main actor.
    ///   - value: What to read.
    public func streamDistinctOnMainActor<T: Sendable & Equatable>(
        bufferingPolicy: AsyncStream<T>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil,
        tracking value: @escaping @Sendable (Database) throws -> T
    ) -> AsyncStream<T> {
        live { [self] in LiveClosure(db: self, value: value) }
            .stream(bufferingPolicy: bufferingPolicy, isRepeated: ==, onError: onError)
    }

    /// What a reader reads, for one who shares it with nobody. It hears of each commit.
    func live<Value>(
        onError: ErrorHandler? = nil, _ reader: @escaping @Sendable () -> some LiveReader<Value>
    ) -> LiveValue<Value> {
        LiveValue(onError: onError, isOpen: { [self] in isOpen }) { [self] receive in
            let source = LiveSource(reader(), workers: liveWorkers, watch: streamWatch)
            // Listening comes first, so that no commit falls between it and the first read.
            changes.listen(source, watching: watchesOtherProcesses)
            changes.catchUp()
            let receiver = source.join(receive)
            return LiveSubscription(refresh: source.refresh) { [self] in
                _ = source.leave(receiver)
                changes.stop(source, watching: watchesOtherProcesses)
            }
        }
    }
}

/// What a closure reads. Nobody knows which tables that are, so that it is read again after each commit.
private struct LiveClosure<Value: Sendable>: LiveReader {
    let db: DatabaseActor
    let value: @Sendable (Database) throws -> Value
    let table: String? = nil
    let sql = ""
    let latest = LatestValue<Value>()

    func read(_ pending: LivePending) async throws -> LiveOutcome {
        guard pending.take() != .nothing else { return .nothing }
        return .all(isNew: latest.become(try await db.read(value)))
    }
}
