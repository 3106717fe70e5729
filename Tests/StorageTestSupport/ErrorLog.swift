package import StorageKit
import Synchronization

/// Collects the errors that a cache reports.
package final class ErrorLog: Sendable {
    private let reported = Mutex<[any Error]>([])

    package init() {}

    package var handler: ErrorHandler {
        { [self] error in reported.withLock { $0.append(error) } }
    }

    /// The cases of all errors so far, by their names. Errors that are no `StorageError` have their type's name.
    package var cases: [String] {
        reported.withLock { $0 }.map { error in
            let name = error is StorageError ? Mirror(reflecting: error).children.first?.label : nil
            return name ?? "\(type(of: error))"
        }
    }

    /// The types of the errors so far that are no `StorageError`.
    package var untyped: [String] {
        reported.withLock { $0 }.filter { !($0 is StorageError) }.map { "\(type(of: $0))" }
    }

    package func clear() {
        reported.withLock { $0 = [] }
    }
}
