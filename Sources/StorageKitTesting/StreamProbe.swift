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
        /// The calls of `next` that have no value yet, the oldest first.
        var waiting: [(call: Int, continuation: CheckedContinuation<Value, any Error>)] = []
        var calls = 0
        var hasEnded = false
    }

    /// No value came in time.
    public struct TimedOut: Error, CustomStringConvertible {
        /// How long was waited, and for what.
        public let description: String
    }

    /// The stream has ended, or is read no more, and all its values were handed over.
    public struct Ended: Error, CustomStringConvertible {
        /// What happened.
        public fileprivate(set) var description = "the stream has ended"
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
            self?.end()
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

    /// The next value. Of several calls at once each gets a value of its own.
    ///
    /// - Parameter limit: How long to wait for it.
    /// - Throws: ``TimedOut`` if none comes in time; ``Ended`` if none will come; `CancellationError` if the task that waits
    ///   for it is cancelled.
    public func next(within limit: Duration = .seconds(600)) async throws -> Value {
        let call = state.withLock { state in
            state.calls += 1
            return state.calls
        }
        var timer: Task<Void, any Error>?
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let result = wait(call, continuation) { return continuation.resume(with: result) }
                timer = Task { [weak self] in
                    // A clock does not count to the largest of durations.
                    try await Task.sleep(for: min(limit, .seconds(1 << 31)))
                    self?.giveUp(call, TimedOut(description: "no value within \(limit)"))
                }
            }
        } onCancel: {
            giveUp(call, CancellationError())
        }
    }

    /// Reads on until a value meets the condition; values may be skipped on the way.
    ///
    /// - Parameters:
    ///   - limit: How long to wait for each value.
    ///   - isolation: The actor that the caller is on.
    ///   - condition: What the value has to meet.
    /// - Throws: What ``next(within:)`` throws, with the number of the values that were skipped and the last of them.
    public func first(
        within limit: Duration = .seconds(600), isolation: isolated (any Actor)? = #isolation,
        where condition: (Value) -> Bool
    ) async throws -> Value {
        var (count, last) = (0, Value?.none)
        // What came instead is the first that one asks.
        func others() -> String {
            guard let last else { return "" }
            return
                "; of \(count) before, none met the condition, the last being \(String(describing: last).prefix(1000))"
        }
        while true {
            do {
                let value = try await next(within: limit)
                if condition(value) { return value }
                (count, last) = (count + 1, value)
            } catch let error as TimedOut {
                throw TimedOut(description: error.description + others())
            } catch let error as Ended {
                throw Ended(description: error.description + others())
            }
        }
    }

    /// The values that have arrived and were not asked for yet.
    public func takeAll() -> [Value] {
        state.withLock { state in
            defer { state.values = [] }
            return state.values
        }
    }

    /// What there is for a call at once; nil if it has to wait.
    private func wait(
        _ call: Int, _ continuation: CheckedContinuation<Value, any Error>
    ) -> Result<Value, any Error>? {
        state.withLock { state in
            if !state.values.isEmpty { return .success(state.values.removeFirst()) }
            if state.hasEnded { return .failure(Ended()) }
            // The handler of the cancellation may have run before.
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiting.append((call, continuation))
            return nil
        }
    }

    private func receive(_ value: Value) {
        let first: CheckedContinuation<Value, any Error>? = state.withLock { state in
            if state.waiting.isEmpty {
                state.values.append(value)
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        first?.resume(returning: value)
    }

    private func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for (_, continuation) in waiting { continuation.resume(throwing: Ended()) }
    }

    private func giveUp(_ call: Int, _ error: any Error) {
        let waiting = state.withLock { state in
            state.waiting.firstIndex { $0.call == call }.map { state.waiting.remove(at: $0).continuation }
        }
        waiting?.resume(throwing: error)
    }
}
