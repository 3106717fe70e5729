import Dispatch

/// Runs an actor's jobs on a queue of its own, so that SQLite never blocks a thread of Swift's pool.
final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "Persistence.SQLiteDatabase")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
