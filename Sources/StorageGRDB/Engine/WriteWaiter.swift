import Synchronization

/// One who waits for the connection, or for the end of a write.
final class WriteWaiter: Sendable {
    /// Nil for one who wants the connection itself.
    let write: Writer.BriefWrite?
    private let state = Mutex(State.new)

    private enum State {
        case new
        case waiting(CheckedContinuation<Void, any Error>)
        /// From now on nothing cancels it.
        case begun(CheckedContinuation<Void, any Error>)
        case cancelled
        case ended
    }

    init(_ write: Writer.BriefWrite?) {
        self.write = write
    }

    var isCancelled: Bool { state.withLock { if case .cancelled = $0 { true } else { false } } }

    /// - Returns: Whether it waits; it may have been cancelled already.
    func wait(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let isWaiting = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWaiting { continuation.resume(throwing: CancellationError()) }
        return isWaiting
    }

    /// - Returns: Whether it begins; it may have been cancelled.
    func begin() -> Bool {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return false }
            state = .begun(continuation)
            return true
        }
    }

    func cancel() {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            switch state {
            case .new:
                state = .cancelled
                return nil
            case .waiting(let continuation):
                state = .cancelled
                return continuation
            default: return nil
            }
        }
        continuation?.resume(throwing: CancellationError())
    }

    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            switch state {
            case .waiting(let continuation), .begun(let continuation):
                state = .ended
                return continuation
            default: return nil
            }
        }
        continuation?.resume(with: result)
    }
}
