import Dispatch

/// Tells the main actor's queue from all others. Its thread does not: where a program has no main loop, any thread may run it.
package struct MainQueue: Sendable {
    private let key = DispatchSpecificKey<Bool>()

    /// Marks the queue.
    package init() { DispatchQueue.main.setSpecific(key: key, value: true) }

    /// Whether the calling code runs on it.
    package var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
