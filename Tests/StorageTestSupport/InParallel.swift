import StorageKit

/// Runs a call that blocks on several threads of their own, which are let go at one moment.
///
/// - Returns: What each call returned.
package func inParallel<T: Sendable>(
    _ count: Int, _ body: @escaping @Sendable () throws -> T
) async throws -> [T] {
    let gate = DispatchSemaphore(value: 0)
    let arrived = DispatchGroup()
    (0..<count).forEach { _ in arrived.enter() }
    arrived.notify(queue: .global()) { (0..<count).forEach { _ in gate.signal() } }
    return try await withThrowingTaskGroup(of: T.self) { group in
        for _ in 0..<count {
            group.addTask {
                try await onThread {
                    arrived.leave()
                    gate.wait()
                    return try body()
                }
            }
        }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// Runs a call that blocks on a thread of its own.
package func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
