import Synchronization

/// Counts the writes under way, so that a short one knows whether it would have to wait.
///
/// The gate does not order writes: the database does. It only tells when the calling thread may write at once
/// without being blocked behind a long transaction.
final class WriteGate: Sendable {
    private let writes = Atomic<Int>(0)

    /// Runs `body` at once if no write is under way, and returns nil if one is.
    func tryPassing<T>(_ body: () throws -> T?) rethrows -> T? {
        guard writes.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged else {
            return nil
        }
        defer { writes.subtract(1, ordering: .releasing) }
        return try body()
    }

    /// Runs `body`, counted.
    func passing<T>(_ body: () async throws -> T) async rethrows -> T {
        writes.add(1, ordering: .acquiring)
        defer { writes.subtract(1, ordering: .releasing) }
        return try await body()
    }
}
