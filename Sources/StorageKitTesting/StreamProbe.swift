import Synchronization

/// Reads a stream and hands over its values one by one, each within a time limit, so that a test of an observation awaits
/// what has to come and fails if it does not.
///
/// ```swift
/// let probe = StreamProbe(store.storage.observeAll(Note.self))
/// #expect(try await probe.next().isEmpty)
/// try await store.storage.save(note)
/// #expect(try await probe.next() == [note])
/// ```
public final class StreamProbe<Value: Sendable>: Sendable {
    private let state = Mutex(State())
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    private struct State {
        var values: [Value] = []
        var waiting: CheckedContinuation<Value, any Error>?
    }

    /// No value came in time.
    public struct TimedOut: Error, CustomStringConvertible {
        /// How long was waited.
        public let description: String
    }

    /// Begins to read.
    ///
    /// - Parameter stream: The stream. Nobody else should read it.
    public init(_ stream: some AsyncSequence<Value, Never> & Sendable) {
        let reader = Task { [weak self] in
            for await value in stream {
                guard let self else { return }
                self.receive(value)
            }
        }
        task.withLock { $0 = reader }
    }

    deinit {
        task.withLock { $0 }?.cancel()
    }

    /// Stops reading, as a view that goes away does.
    public func cancel() {
        task.withLock { $0 }?.cancel()
    }

    /// The next value.
    ///
    /// - Parameter limit: How long to wait for it.
    /// - Throws: ``TimedOut`` if none comes in time.
    public func next(within limit: Duration = .seconds(600)) async throws -> Value {
        let timer = Task { [weak self] in
            try await Task.sleep(for: limit)
            self?.giveUp(after: limit)
        }
        defer { timer.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            let ready: Value? = state.withLock { state in
                guard state.values.isEmpty else { return state.values.removeFirst() }
                state.waiting = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// Reads on until a value meets the condition; values may be skipped on the way.
    ///
    /// - Parameters:
    ///   - limit: How long to wait for each value.
    ///   - isolation: The actor that the caller is on.
    ///   - condition: What the value has to meet.
    /// - Throws: ``TimedOut`` if none comes in time.
    public func first(
        within limit: Duration = .seconds(600), isolation: isolated (any Actor)? = #isolation,
        where condition: (Value) -> Bool
    ) async throws -> Value {
        while true {
            let value = try await next(within: limit)
            if condition(value) { return value }
        }
    }

    /// The values that have arrived and were not asked for yet.
    public func takeAll() -> [Value] {
        state.withLock { state in
            defer { state.values = [] }
            return state.values
        }
    }

    private func receive(_ value: Value) {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = nil
            if waiting == nil { state.values.append(value) }
            return waiting
        }
        waiting?.resume(returning: value)
    }

    private func giveUp(after limit: Duration) {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = nil
            return waiting
        }
        waiting?.resume(throwing: TimedOut(description: "no value within \(limit)"))
    }
}
