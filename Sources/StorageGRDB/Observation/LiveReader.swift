import Synchronization

/// Reads a live value and holds what it read last. It is asked by one task at a time.
protocol LiveReader<Value>: Sendable {
    associatedtype Value: Sendable

    /// The table of the entity that is observed; nil for a statement or a closure of the app. Asked only for a monitor.
    var table: String? { get }

    /// The SQL that reads all of the value, with `?` for bound values; empty where it is not one statement. Asked only for a monitor.
    var sql: String { get }

    /// The value that was read last.
    var latest: LatestValue<Value> { get }

    /// Reads the value as it is, if the pending changes can have made it another.
    ///
    /// - Returns: Whether ``latest`` has another one now, and what was read.
    func read(_ pending: LivePending) async throws -> LiveOutcome

    /// The same on the calling thread, where that takes microseconds.
    ///
    /// - Returns: Nil if it cannot be done so, and what was pending still is.
    func readNow(_ pending: LivePending) -> LiveOutcome?

    /// Whether a commit may have made the value another. Called inside the hub's lock, once for each, of a reader that hears of all of them.
    func isConcerned(by changes: ChangeSet) -> Bool

    /// Offers what the last change left in the one row of the value, so that it need not be read.
    func offer(_ saved: any SavedColumns, _ pending: LivePending)
}

extension LiveReader {
    func readNow(_ pending: LivePending) -> LiveOutcome? { nil }
    func isConcerned(by changes: ChangeSet) -> Bool { true }
    func offer(_ saved: any SavedColumns, _ pending: LivePending) {}
}

/// A live value as it was read last; nothing before that.
final class LatestValue<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    var value: Value? { state.withLock { $0 } }

    /// - Returns: Always true, so that it can be said as `isNew:`.
    func become(_ value: Value) -> Bool {
        // Released outside the lock: a large list takes a while, and may run code of the app.
        var previous: Value? = value
        state.withLock { swap(&$0, &previous) }
        return true
    }
}
