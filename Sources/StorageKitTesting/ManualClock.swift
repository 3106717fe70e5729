public import StorageKit
import Synchronization

/// A clock that stands still until it is moved, for lifetimes and `updatedAt`.
///
/// ```swift
/// let store = try TemporaryStore { $0.autoSchema(NoteRecord.self) }
/// try await store.storage.save(note)
/// store.clock.advance(by: 301)      // what the caches hold has expired
/// ```
public final class ManualClock: StorageCore.Clock {
    private let time: Mutex<Date>

    /// Creates a clock.
    ///
    /// - Parameter start: The time it shows; the first moment of 2026, in UTC, unless said otherwise.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        time = Mutex(start)
    }

    /// The time it shows.
    public var now: Date { time.withLock { $0 } }

    /// Moves the clock.
    ///
    /// - Parameter seconds: By how much; a negative number moves it back.
    public func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }
}
