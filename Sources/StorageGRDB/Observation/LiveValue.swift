import Synchronization

/// Something that can be observed: by a stream, or by somebody who wants the errors too.
package struct LiveValue<Value: Sendable>: Sendable {
    private let onError: ErrorHandler?
    private let isOpen: @Sendable () -> Bool
    /// Observes. The first event comes at once; each is made something of off the main actor, which is then done where the
    /// values are delivered.
    package let subscribe: @Sendable (@escaping LiveReceiver<Value>) -> LiveSubscription

    /// - Parameters:
    ///   - onError: Called with the errors of streams that have no handler of their own.
    ///   - isOpen: Whether the store is not closed yet.
    ///   - subscribe: Begins to observe.
    init(
        onError: ErrorHandler? = nil, isOpen: @escaping @Sendable () -> Bool = { true },
        subscribe: @escaping @Sendable (@escaping LiveReceiver<Value>) -> LiveSubscription
    ) {
        self.onError = onError
        self.isOpen = isOpen
        self.subscribe = subscribe
    }

    /// Something that cannot be read, such as a list sorted by a column that there is not.
    init(failing error: any Error, onError: ErrorHandler?) {
        self.init(onError: onError) { receive in
            let source = LiveSource(NothingToRead(error: error))
            let receiver = source.join(receive)
            return LiveSubscription(refresh: source.refresh) { _ = source.leave(receiver) }
        }
    }

    private struct NothingToRead: LiveReader {
        let error: any Error
        let table: String? = nil
        let sql = ""
        let latest = LatestValue<Value>()

        func read(_ pending: LivePending) async throws -> LiveOutcome { throw error }
    }
}

/// Somebody who observes a value, until he cancels or is gone.
package final class LiveSubscription: Sendable {
    private let begunRefresh: @Sendable (LiveChange) -> Int
    private let end: Mutex<(@Sendable () -> Void)?>

    init(refresh: @escaping @Sendable (LiveChange) -> Int, end: @escaping @Sendable () -> Void) {
        begunRefresh = refresh
        self.end = Mutex(end)
    }

    deinit {
        cancel()
    }

    /// Has the value read again.
    ///
    /// - Returns: The number of the round that does.
    package func refresh() -> Int { begunRefresh(.anything) }

    /// Asks the reader for what it was told to do, without having it read the value again.
    ///
    /// - Returns: The number of the round that does it.
    package func ask() -> Int { begunRefresh(.nothing) }

    package func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}

extension LiveValue {
    /// The same, with something made of each value, off the main actor.
    package func map<Output: Sendable>(_ transform: @escaping @Sendable (Value) -> Output) -> LiveValue<Output> {
        LiveValue<Output>(onError: onError, isOpen: isOpen) { [subscribe] receive in
            subscribe { event in
                receive(LiveEvent<Output>(round: event.round, result: event.result.map(transform)))
            }
        }
    }

    /// The value now and after each change.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - isRepeated: Tells a value that is left out because it equals the one before, which is that which was read:
    ///     of those that wait for a slow consumer some may be dropped.
    ///   - onError: Called with each error; nil calls the store's handler.
    ///   - tellsErrorsAnywhere: Whether it is called on the thread that has read, and not on the main actor.
    package func stream(
        bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .bufferingNewest(1),
        isRepeated: (@Sendable (Value, Value) -> Bool)? = nil,
        onError: ErrorHandler? = nil,
        tellsErrorsAnywhere: Bool = false
    ) -> AsyncStream<Value> {
        let onError = onError ?? self.onError
        let (isOpen, wasOpen) = (self.isOpen, self.isOpen())
        let last = Mutex<Value?>(nil)
        let stream = AsyncStream(bufferingPolicy: bufferingPolicy) { continuation in
            let subscription = subscribe { event -> LiveAction? in
                switch event.result {
                case .failure(let error):
                    // That the store was closed meanwhile is no failure: whoever did it knows.
                    guard let onError, isOpen() || !wasOpen else { return nil }
                    return LiveAction(isForMainActor: !tellsErrorsAnywhere) { onError(error) }
                case .success(let value):
                    if let isRepeated, last.isRepeated(value, isRepeated) { return nil }
                    return .anywhere { continuation.yield(value) }
                }
            }
            continuation.onTermination = { _ in subscription.cancel() }
        }
        return isRepeated.map(stream.withoutRepeats) ?? stream
    }
}

extension AsyncStream where Element: Sendable {
    /// The values without those that equal the one that was read before.
    fileprivate func withoutRepeats(_ areEqual: @escaping @Sendable (Element, Element) -> Bool) -> AsyncStream {
        let last = Mutex<Element?>(nil)
        return AsyncStream {
            var values = makeAsyncIterator()
            while let value = await values.next() {
                if !last.isRepeated(value, areEqual) { return value }
            }
            return nil
        }
    }
}

extension Mutex {
    /// Whether a value equals the one before, which it takes the place of.
    fileprivate func isRepeated<Wrapped: Sendable>(_ value: Wrapped, _ areEqual: (Wrapped, Wrapped) -> Bool) -> Bool
    where Value == Wrapped? {
        withLock { last in
            defer { last = value }
            return last.map { areEqual($0, value) } ?? false
        }
    }
}
