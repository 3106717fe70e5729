import Synchronization

/// Counts the values that streams deliver, for someone to wait for them.
final class Arrivals: Sendable {
    private struct State {
        var count = 0
        var sum = 0
        var expected = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// How many values have arrived.
    var count: Int { state.withLock { $0.count } }
    /// The sum of what was told of them.
    var sum: Int { state.withLock { $0.sum } }

    /// A value has arrived.
    ///
    /// - Parameter number: Something of it that can be added up.
    func add(_ number: Int = 1) {
        let waiter = state.withLock { state in
            state.count += 1
            state.sum &+= number
            guard state.count >= state.expected else { return nil as CheckedContinuation<Void, Never>? }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits until so many values have arrived since the beginning, without leaving the caller's actor. One caller at a time.
    func wait(for expected: Int, isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation(isolation: isolation) { continuation in
            let isThere = state.withLock { state in
                if state.count >= expected { return true }
                state.expected = expected
                state.waiter = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Waits until nothing has arrived for a while: GRDB delivers its first value twice. Not measured, so it may take time.
    func settle() async {
        var before = -1
        while before != count {
            before = count
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}
