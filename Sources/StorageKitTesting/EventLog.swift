public import StorageKit
import Synchronization

/// A monitor that keeps what it hears.
///
/// ```swift
/// let events = EventLog()
/// let store = try TemporaryStore(options: { $0.monitor = events }) { $0.autoSchema(NoteRecord.self) }
/// #expect(events.events.allSatisfy { !$0.isProblem })
/// ```
public final class EventLog: StorageMonitor {
    /// Statements that take at least so long are kept.
    public let slowStatementThreshold: Duration?
    /// Whether indexes that statements lack are kept.
    public let tellsMissingIndexes: Bool
    /// Whether the reads behind streams are kept.
    public let tellsStreamReads: Bool
    /// So many changed rows of each commit are kept.
    public let committedRowLimit: Int
    private let heard = Mutex<[StorageEvent]>([])

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - slowStatementThreshold: Statements that take at least so long are kept; nil for none.
    ///   - tellsMissingIndexes: Whether indexes that statements lack are kept.
    ///   - tellsStreamReads: Whether the reads behind streams are kept.
    ///   - committedRowLimit: So many changed rows of each commit are kept; 0 for no commits.
    public init(
        slowStatementThreshold: Duration? = nil, tellsMissingIndexes: Bool = false, tellsStreamReads: Bool = false,
        committedRowLimit: Int = 0
    ) {
        self.slowStatementThreshold = slowStatementThreshold
        self.tellsMissingIndexes = tellsMissingIndexes
        self.tellsStreamReads = tellsStreamReads
        self.committedRowLimit = committedRowLimit
    }

    /// All events so far, in the order they were told.
    public var events: [StorageEvent] { heard.withLock { $0 } }

    /// Keeps an event.
    public func record(_ event: StorageEvent) {
        heard.withLock { $0.append(event) }
    }
}
