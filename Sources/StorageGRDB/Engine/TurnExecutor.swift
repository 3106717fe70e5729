import Dispatch

/// Where a task goes on that was given the writing connection. A thread of those that tasks share may be long in coming, and the connection
/// would stand idle meanwhile.
final class TurnExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "StorageKit.writer")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
