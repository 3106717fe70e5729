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
        observation(delivery: .anyThread, bufferingPolicy: bufferingPolicy, onError: onError) { [self] in
            try await read(value)
        }
    }

    /// Like ``stream(bufferingPolicy:onError:tracking:)``, with the values delivered on the main actor.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - onError: Called with each error of the closure.
    ///   - value: What to read.
    public func streamOnMainActor<T: Sendable>(
        bufferingPolicy: AsyncStream<T>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil,
        tracking value: @escaping @Sendable (Database) throws -> T
    ) -> AsyncStream<T> {
        observation(bufferingPolicy: bufferingPolicy, onError: onError) { [self] in try await read(value) }
    }

    /// Like ``streamOnMainActor(bufferingPolicy:onError:tracking:)``, without values equal to the one before.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - onError: Called with each error of the closure.
    ///   - value: What to read.
    public func streamDistinctOnMainActor<T: Sendable & Equatable>(
        bufferingPolicy: AsyncStream<T>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil,
        tracking value: @escaping @Sendable (Database) throws -> T
    ) -> AsyncStream<T> {
        observation(isRepeated: ==, bufferingPolicy: bufferingPolicy, onError: onError) { [self] in
            try await read(value)
        }
    }
}

extension DatabaseActor {
    /// A stream of one entity, nil while there is none; a value comes when the entity differs from the last.
    package func observeOne<R: StorageKitEntityRecord>(
        _ table: RecordTable<R>, id: StoredValue
    ) -> AsyncStream<R.E?> {
        observation(of: [table.name], isRepeated: ==) { [self] in try await fetchOne(table, id: id) }
    }

    /// A stream of what the plan asks for; a value comes after each commit that changed the table.
    package func observeAll<R: StorageKitEntityRecord>(
        _ table: RecordTable<R>, _ plan: QueryPlan, distinct: Bool = false
    ) -> AsyncStream<[R.E]> {
        observation(of: [table.name], isRepeated: distinct ? (==) : nil) { [self] in try await fetchAll(table, plan) }
    }
}

private enum Delivery {
    case anyThread, mainActor
}

extension DatabaseActor {
    /// Listens first and fetches then, so that no commit falls between the two. While a fetch runs, any number
    /// of commits asks for one more fetch: the last value is never missed, and none is fetched twice over.
    private func observation<T: Sendable>(
        of tables: [String]? = nil,
        delivery: Delivery = .mainActor,
        isRepeated: (@Sendable (T, T) -> Bool)? = nil,
        bufferingPolicy: AsyncStream<T>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil,
        fetch: @escaping @Sendable () async throws -> T
    ) -> AsyncStream<T> {
        AsyncStream(bufferingPolicy: bufferingPolicy) { continuation in
            let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let changes = changes
            let key = changes.listen(to: tables.map { Set($0.map { $0.asciiLowercased }) }) { signal.yield() }
            signal.yield()
            let task = Task {
                var last: T?
                for await _ in signals {
                    do {
                        let value = try await fetch()
                        if let isRepeated, let last, isRepeated(last, value) { continue }
                        last = value
                        switch delivery {
                        case .anyThread: continuation.yield(value)
                        case .mainActor: await MainActor.run { _ = continuation.yield(value) }
                        }
                    } catch is CancellationError {
                        break
                    } catch {
                        onError?(error)
                    }
                }
            }
            continuation.onTermination = { _ in
                changes.stop(key)
                signal.finish()
                task.cancel()
            }
        }
    }
}
