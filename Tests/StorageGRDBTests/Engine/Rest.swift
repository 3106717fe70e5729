import StorageKit

/// Work that rests in its body until it is let go.
final class Rest: Sendable {
    private let hasBegun = AsyncStream<Void>.makeStream()
    private let end = DispatchSemaphore(value: 0)

    /// To be called by the work.
    func enter() {
        hasBegun.continuation.yield()
        end.wait()
    }

    func begun() async { for await _ in hasBegun.stream { return } }
    func leave() { end.signal() }
}
