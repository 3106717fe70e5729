/// Runs blocking work outside of the threads that tasks share, and as part of the task that awaits it: the work sees the task's
/// local values, its priority, and whether it was cancelled.
actor LaneThread {
    private let executor = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run<T: Sendable>(_ work: @Sendable () throws -> T) rethrows -> T { try work() }
}

/// A queue that is serial has a thread even where all that tasks share are busy.
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "StorageKit.read")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
