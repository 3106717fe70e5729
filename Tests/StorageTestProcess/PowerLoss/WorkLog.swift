import Synchronization

/// What each writer of a workload has begun, and what was acknowledged, in the order in which it happened.
final class WorkLog: Sendable {
    struct Event {
        let writer: Int
        /// From 1.
        let step: Int
        /// Whether the step was acknowledged, and not just begun.
        let isDone: Bool
    }

    private let kept = Mutex<[Event]>([])

    var events: [Event] { kept.withLock { $0 } }
    var count: Int { kept.withLock { $0.count } }

    func note(_ writer: Int, _ step: Int, isDone: Bool) {
        kept.withLock { $0.append(Event(writer: writer, step: step, isDone: isDone)) }
    }
}
