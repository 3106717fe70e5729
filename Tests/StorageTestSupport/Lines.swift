import Synchronization

/// Lines, from whatever thread.
package final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    package init() {}

    package var all: [String] { lines.withLock { $0 } }

    package var add: @Sendable (String) -> Void { { [self] line in lines.withLock { $0.append(line) } } }
}
