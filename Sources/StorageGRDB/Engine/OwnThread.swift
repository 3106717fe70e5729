import Dispatch
import Synchronization

/// Runs what takes long on a thread that no tasks share.
///
/// - Parameter body: Is given what says whether the caller's task was cancelled.
package func onOwnThread<T: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> T
) async throws -> T {
    let flag = CancellationFlag()
    // What the body holds is let go before the caller goes on, who may be the last to have a store: its files are closed then, and not a
    // moment later by the thread.
    let body = Mutex(Optional(body))
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "StorageKit").async {
                let result = Result {
                    guard let body = body.withLock({ $0.take() }) else {
                        preconditionFailure("a thread runs its work once")
                    }
                    return try body { flag.isSet }
                }
                continuation.resume(with: result)
            }
        }
    } onCancel: {
        flag.set()
    }
}

private final class CancellationFlag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() {
        value.store(true, ordering: .relaxed)
    }
}
