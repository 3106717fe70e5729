import StorageRepo

/// Receives what comes of a value of the store on the main actor, until it is stopped or released, and lets wait for it.
@MainActor final class LiveObservation {
    private var subscription: LiveSubscription?
    private var waiting: [(round: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Whether it has begun and was not stopped.
    var isRunning: Bool { subscription != nil }

    /// - Parameters:
    ///   - source: What to observe.
    ///   - receive: Receives the value, or the error that it could not be read with.
    func begin<Value: Sendable>(
        _ source: LiveValue<Value>, _ receive: @escaping @MainActor (Result<Value, any Error>) -> Void
    ) {
        subscription = source.subscribe { [weak self] event in
            .delivered {
                // Values of the store are delivered on the main actor.
                MainActor.assumeIsolated {
                    guard let self, self.isRunning else { return }
                    receive(event.result)
                    self.resume { $0 <= event.round }
                }
            }
        }
    }

    /// Has the value read again, and returns when it is here, or the error; at once if it was stopped.
    func refresh() async {
        if let subscription { await untilOver(subscription.refresh()) }
    }

    /// Asks the reader for what it was told to do, and returns when that is done; at once if it was stopped.
    func ask() async {
        if let subscription { await untilOver(subscription.ask()) }
    }

    func stop() {
        subscription?.cancel()
        subscription = nil
        resume { _ in true }
    }

    private func untilOver(_ round: Int) async {
        await withCheckedContinuation { waiting.append((round, $0)) }
    }

    private func resume(_ isOver: (Int) -> Bool) {
        let over = waiting.filter { isOver($0.round) }
        waiting.removeAll { isOver($0.round) }
        over.forEach { $0.continuation.resume() }
    }
}
