import Synchronization

/// Knows which writes are under way, so that a short one can run on the calling thread.
///
/// The gate does not order writes: the database does. It only tells when the calling thread may write at once
/// without being blocked behind a long transaction.
final class WriteGate: Sendable {
    /// How long a short write may wait for others of its kind, of which each takes some microseconds.
    private static let patience = Duration.milliseconds(2)

    /// So many queued short writes may still stand before one on the calling thread.
    private static let fewQueued = 4

    private let longWrites = Atomic<Int>(0)
    private let queuedWrites = Atomic<Int>(0)
    /// Taken by a short write.
    private let turns = WriteTurns()

    /// Runs `body` at once if no long write is under way, and returns nil if one is. Another short write is waited for: that
    /// takes less than to suspend the task and to resume it.
    func tryPassing<T>(_ body: () throws -> T?) rethrows -> T? {
        guard isFree, turns.take(patience: Self.patience) else { return nil }
        defer { turns.leave() }
        return isFree ? try body() : nil
    }

    private var isFree: Bool {
        longWrites.load(ordering: .acquiring) == 0 && queuedWrites.load(ordering: .relaxed) <= Self.fewQueued
    }

    /// Runs `body`, a short write that had to be queued. If it counted as a long one, all that come after it would be queued as
    /// well, for as long as several tasks write.
    func queueing<T>(_ body: () async throws -> T) async rethrows -> T {
        queuedWrites.add(1, ordering: .relaxed)
        defer { queuedWrites.subtract(1, ordering: .relaxed) }
        return try await body()
    }

    /// Runs `body`, which may take long.
    func passing<T>(_ body: () async throws -> T) async rethrows -> T {
        longWrites.add(1, ordering: .acquiring)
        defer { longWrites.subtract(1, ordering: .releasing) }
        return try await body()
    }
}
