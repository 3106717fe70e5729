import GRDB
import Synchronization

/// One read on a lane, which may be cancelled at any time: before it begins, while it runs, and when it is over.
final class LaneReading: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isCancelled = false
        /// While it runs. Nobody else has the connection then.
        var running: DatabaseQueue?
    }

    func run<T>(on connection: LaneConnection, _ body: (Database) throws -> T) throws -> T {
        defer { state.withLock { $0.running = nil } }
        do {
            return try connection.reading(begin: { try begin(connection.queue) }, body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT && isCancelled {
            throw CancellationError()
        }
    }

    /// Called by any thread.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.running?.interrupt()
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func begin(_ queue: DatabaseQueue) throws {
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            state.running = queue
        }
    }
}
