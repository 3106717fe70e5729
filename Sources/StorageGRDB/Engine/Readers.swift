import GRDB
import Synchronization

/// Connections that only read, beside GRDB's pool, whose own readers are handed out through queues: that costs ten times what
/// a short read takes.
///
/// Each is used by one caller at a time. A brief read runs on the caller's thread under a step limit; any other on the
/// connection's own queue.
final class Readers: Sendable {
    private let path: String
    private let configuration: Configuration
    private let readers: [Reader]
    private let longReads = Atomic<Int>(0)

    /// - Parameter configuration: The pool's, so that collations, functions and keys are the same.
    init(path: String, configuration: Configuration) {
        var readonly = configuration
        readonly.readonly = true
        // Whoever suspends a database means its writes. And who reads waits for nobody but one who mends the log after a crash.
        readonly.observesSuspensionNotifications = false
        if case .timeout = readonly.busyMode {} else { readonly.busyMode = .timeout(10) }
        #if os(iOS)
        // It would free a connection's memory at any time, from another thread than the one that reads.
        readonly.automaticMemoryManagement = false
        #endif
        self.path = path
        self.configuration = readonly
        readers = (0..<2 * Readers.mostLongReads).map { _ in Reader() }
    }

    /// As many as threads that can run at a time. As many connections more are there for brief reads.
    private static let mostLongReads = max(2, ProcessInfo.processInfo.activeProcessorCount)

    /// Reads on the calling thread, as long as that takes few steps and waits for nobody.
    ///
    /// - Parameter body: One statement, or several that need not see one state. If it takes too long it is stopped, and is to be
    ///   run once more by ``read(_:)``.
    /// - Returns: Nil if it was stopped, or no connection is free.
    func readBriefly<T>(_ body: (Database) throws -> T) throws -> T? {
        guard let reader = takeReader() else { return nil }
        defer { reader.leave() }
        return try reader.connection(path, configuration)?.readBriefly(body)
    }

    /// Reads one state of the database on a connection's own queue.
    ///
    /// - Returns: Nil if no connection is free.
    /// - Throws: What the body throws, or `CancellationError` if the task is cancelled, which interrupts the body's statements.
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T? {
        defer { longReads.subtract(1, ordering: .relaxed) }
        guard longReads.add(1, ordering: .relaxed).newValue <= Readers.mostLongReads, let reader = takeReader() else {
            return nil
        }
        defer { reader.leave() }
        return try await reader.connection(path, configuration)?.read(body)
    }

    /// The first that is free, so that no more are opened than are used at a time.
    private func takeReader() -> Reader? { readers.first { $0.take() } }

    /// Waits for what is being read, and closes all connections. Whatever is read later finds none.
    ///
    /// - Throws: The first error of a connection that could not be closed. Those that can be closed are closed then.
    func close() throws {
        let results = readers.map { reader in Result { try reader.close() } }
        for result in results { try result.get() }
    }
}
