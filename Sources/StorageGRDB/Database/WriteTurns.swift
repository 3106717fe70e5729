import Foundation
import Synchronization

/// A lock for writes that take microseconds. After one who waited for it has got it, a turn begins: until that ends, threads
/// that run may let go of the lock and take it again, and those that wait for it sleep on.
///
/// A lock that wakes one who waits whenever it is let go of either changes threads for each write, or wakes somebody who finds
/// it taken again: both take longer than the write itself.
final class WriteTurns: Sendable {
    /// How long a turn lasts: some twenty writes.
    private static let turn = Duration.microseconds(400)

    /// How long one who was called stays awake for the write that is under way.
    private static let writeTime = Duration.microseconds(100)

    private let condition = NSCondition()
    // Atomic for one who is next and looks at it without the condition's lock. All else needs that.
    private let isTaken = Atomic<Bool>(false)
    private nonisolated(unsafe) var turnEnd = ContinuousClock.now
    private nonisolated(unsafe) var waiting = 0
    /// How many of those are awake and next. While there are none, the threads that run go on, even after the turn: one
    /// that was called takes its time to wake up.
    private nonisolated(unsafe) var next = 0
    /// Whether one was called who is not awake yet.
    private nonisolated(unsafe) var isCalled = false

    /// Takes the lock.
    ///
    /// - Parameter patience: How long to wait, though not less than a turn.
    /// - Returns: Whether it was to be had.
    func take(patience: Duration) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if next == 0, takeIfFree() { return true }
        waiting += 1
        defer { waiting -= 1 }
        let deadline = ContinuousClock.now.advanced(by: patience)
        repeat {
            // Not for ever: who has the turn wakes nobody until it ends, and may not come back.
            let wasCalled = condition.wait(until: Date(timeIntervalSinceNow: WriteTurns.turn / .seconds(1)))
            if wasCalled { isCalled = false }
            if ContinuousClock.now < turnEnd ? takeIfFree() : takeNext() {
                isCalled = false
                turnEnd = ContinuousClock.now.advanced(by: WriteTurns.turn)
                return true
            }
        } while ContinuousClock.now < deadline
        return false
    }

    func leave() {
        condition.lock()
        defer { condition.unlock() }
        isTaken.store(false, ordering: .releasing)
        if waiting > 0, next == 0, !isCalled, ContinuousClock.now >= turnEnd {
            isCalled = true
            condition.signal()
        }
    }

    private func takeIfFree() -> Bool {
        !isTaken.exchange(true, ordering: .acquiring)
    }

    /// Takes the lock after the write that is under way, unless that takes long.
    private func takeNext() -> Bool {
        next += 1
        defer { next -= 1 }
        let end = ContinuousClock.now.advanced(by: WriteTurns.writeTime)
        while !takeIfFree() {
            guard ContinuousClock.now < end else { return false }
            condition.unlock()
            while isTaken.load(ordering: .relaxed), ContinuousClock.now < end {}
            condition.lock()
        }
        return true
    }
}
