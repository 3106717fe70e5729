import Foundation

/// Runs a body on a thread of its own while each thread that tasks share is taken, so that no task goes on.
package func whileSharedThreadsAreTaken(_ body: @escaping @Sendable () -> Void) async {
    let count = ProcessInfo.processInfo.activeProcessorCount
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let take = { @Sendable in
        begun.signal()
        end.wait()
    }
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            for _ in 0..<count { Task.detached(priority: .high) { take() } }
            for _ in 0..<count { begun.wait() }
            body()
            for _ in 0..<count { end.signal() }
            continuation.resume()
        }
    }
}
