import StorageSQLite

/// What bounds the statements of one run: SQLite asks now and then whether to stop.
///
/// Used by the connection's thread alone.
final class RunLimits {
    /// Why a run was stopped.
    enum Reason { case deadline, steps, cancelled }

    private var deadline = ContinuousClock.now
    private var stepsLeft = 0
    /// Called each time that SQLite asks.
    private let heartbeat: (@Sendable () -> Void)?
    /// Nil for a run that was not stopped.
    private(set) var reason: Reason?

    init(heartbeat: (@Sendable () -> Void)?) {
        self.heartbeat = heartbeat
    }

    /// Begins a run.
    func begin(within duration: Duration, steps: Int) {
        deadline = .now + duration
        stepsLeft = steps
        reason = nil
    }

    /// Whether to stop, asked on the thread of the task that runs the statement.
    func isOver() -> Bool {
        heartbeat?()
        stepsLeft -= Connection.stepsPerInterruption
        if Task.isCancelled {
            reason = .cancelled
        } else if stepsLeft < 0 {
            reason = .steps
        } else if ContinuousClock.now > deadline {
            reason = .deadline
        }
        return reason != nil
    }
}
