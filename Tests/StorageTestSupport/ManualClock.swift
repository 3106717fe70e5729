package import StorageKit
import Synchronization

/// A clock that stands still until it is moved.
package final class ManualClock: StorageCore.Clock {
    private let time: Mutex<Date>

    package init(_ start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        time = Mutex(start)
    }

    package var now: Date { time.withLock { $0 } }

    package func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }
}
