import GRDB
import Synchronization

/// Read-only connections beside GRDB's pool, for reads that take microseconds.
///
/// A pool's reader opens a transaction and is handed out through queues; a lane is taken with one atomic
/// exchange, runs a single statement (which is its own snapshot) on the calling thread, and keeps the
/// statement prepared. Lanes open when they are first needed.
package final class ReadLanes: Sendable {
    private let path: String
    private let configuration: Configuration
    private let lanes: [Lane]

    /// - Parameter configuration: The pool's, so that collations, functions and keys are the same.
    package init(path: String, configuration: Configuration) {
        var readonly = configuration
        readonly.readonly = true
        self.path = path
        self.configuration = readonly
        // As many as threads that can run at a time: more would never be used.
        lanes = (0..<max(2, ProcessInfo.processInfo.activeProcessorCount)).map { _ in Lane() }
    }

    /// Runs `body` on a free lane, or returns nil if all are taken.
    func tryRead<T>(_ body: (Database) throws -> T) throws -> T? {
        for lane in lanes where lane.take() {
            defer { lane.leave() }
            return try lane.connection(path: path, configuration: configuration).unsafeRead(body)
        }
        return nil
    }

    func close() throws {
        for lane in lanes {
            try lane.close()
        }
    }
}

private final class Lane: Sendable {
    private let isTaken = Atomic<Bool>(false)
    private let queue = Mutex<DatabaseQueue?>(nil)

    func take() -> Bool {
        isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    func leave() {
        isTaken.store(false, ordering: .releasing)
    }

    func connection(path: String, configuration: Configuration) throws -> DatabaseQueue {
        try queue.withLock { queue in
            if let queue { return queue }
            let opened = try DatabaseQueue(path: path, configuration: configuration)
            queue = opened
            return opened
        }
    }

    func close() throws {
        try queue.withLock { queue in
            try queue?.close()
        }
    }
}
