import Foundation

/// One at a time: two would each take some of the threads, and wait for those of the other.
private let turn = DispatchSemaphore(value: 1)

/// Runs a body on a thread of its own while each thread is taken that tasks of a priority share, so that none of them goes on. On Linux
/// each priority has threads of its own: with one that no other test has, nobody else waits.
///
/// - Returns: Whether they could be taken; the body did not run otherwise, since somebody holds one of them.
package func whileSharedThreadsAreTaken(
    of priority: TaskPriority, _ body: @escaping @Sendable () -> Void
) async -> Bool {
    let count = ProcessInfo.processInfo.activeProcessorCount
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let take = { @Sendable in
        begun.signal()
        end.wait()
    }
    return await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            turn.wait()
            for _ in 0..<count { Task.detached(priority: priority) { take() } }
            let deadline = DispatchTime.now() + 600
            let areTaken = (0..<count).allSatisfy { _ in begun.wait(timeout: deadline) == .success }
            if areTaken { body() }
            for _ in 0..<count { end.signal() }
            turn.signal()
            continuation.resume(returning: areTaken)
        }
    }
}
