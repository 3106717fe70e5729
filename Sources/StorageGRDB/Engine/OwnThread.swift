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
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "StorageKit").async {
                continuation.resume(with: Result { try body { flag.isSet } })
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
