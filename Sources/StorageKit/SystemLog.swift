import Synchronization

/// Where errors go that neither a handler nor a monitor is there for: into the log of the system, each once. What cannot be read fails
/// again with each change.
final class SystemLog: Sendable {
    private let told = Mutex<Set<String>>([])
    private let write: @Sendable (String) -> Void

    /// Of an app whose errors are all different, the first ones say enough.
    private static let limit = 100

    /// - Parameter write: Takes a line; by default the system's log does.
    init(write: @escaping @Sendable (String) -> Void = { NSLog("%@", $0) }) {
        self.write = write
    }

    /// Tells the error of a stream.
    func tell(_ error: any Error) {
        let line = "StorageKit: a stream failed: \(error)"
        if told.withLock({ $0.count < Self.limit && $0.insert(line).inserted }) { write(line) }
    }
}
