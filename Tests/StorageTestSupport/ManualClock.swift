public import StorageKit
import Synchronization

/// A clock that stands still until it is moved.
public final class ManualClock: StorageCore.Clock {
    private let time: Mutex<Date>

    public init(_ start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        time = Mutex(start)
    }

    public var now: Date { time.withLock { $0 } }

    public func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }
}
