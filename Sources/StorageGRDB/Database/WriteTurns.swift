import Foundation

/// A lock for writes that take microseconds. Whoever waited for it then has a turn: until that ends it may let go and take the
/// lock again, and those who wait sleep on.
///
/// A lock that wakes one who waits whenever it is let go of either changes threads for each write, or wakes somebody who finds
/// it taken again: both take longer than the write itself.
final class WriteTurns: Sendable {
    /// How long a turn lasts: some twenty writes.
    private static let turn = Duration.microseconds(300)

    private let condition = NSCondition()
    // These are used while the condition is locked.
    private nonisolated(unsafe) var isTaken = false
    private nonisolated(unsafe) var waiting = 0
    private nonisolated(unsafe) var turnEnd = ContinuousClock.now

    /// Takes the lock.
    ///
    /// - Parameter patience: How long to wait at most.
    /// - Returns: Whether it was to be had.
    func take(patience: Duration) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if !isTaken, waiting == 0 || ContinuousClock.now < turnEnd {
            isTaken = true
            return true
        }
        waiting += 1
        defer { waiting -= 1 }
        let deadline = ContinuousClock.now.advanced(by: patience)
        repeat {
            // Not for ever: who has the turn wakes nobody, and may not come back to end it.
            _ = condition.wait(until: Date(timeIntervalSinceNow: WriteTurns.turn / .seconds(1)))
            if !isTaken {
                isTaken = true
                turnEnd = ContinuousClock.now.advanced(by: WriteTurns.turn)
                return true
            }
        } while ContinuousClock.now < deadline
        return false
    }

    func leave() {
        condition.lock()
        isTaken = false
        if waiting > 0, ContinuousClock.now >= turnEnd { condition.signal() }
        condition.unlock()
    }
}
