import Dispatch

/// Work that rests in its body until it is let go.
package final class Rest: Sendable {
    private let hasBegun = AsyncStream<Void>.makeStream()
    private let end = DispatchSemaphore(value: 0)

    package init() {}

    /// To be called by the work.
    package func enter() {
        hasBegun.continuation.yield()
        end.wait()
    }

    package func begun() async { for await _ in hasBegun.stream { return } }
    package func leave() { end.signal() }
}
