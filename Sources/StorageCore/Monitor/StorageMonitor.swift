/// Hears what happens inside a store and is not thrown to anybody: statements that take long, what a start changed in
/// the file, errors that streams and caches lived through, and the numbers of the caches.
///
/// A store has none unless it is given one, in one line:
///
/// ```swift
/// let options = StartOptions(monitor: StandardErrorMonitor())
/// ```
///
/// For a logger or a metrics system of your own, write ``record(_:)``:
///
/// ```swift
/// struct LogMonitor: StorageMonitor {
///     let logger: Logger
///     func record(_ event: StorageEvent) {
///         logger.log(level: event.isProblem ? .warning : .info, "\(event)")
///     }
/// }
/// ```
public protocol StorageMonitor: Sendable {
    /// Statements that take at least so long are told. Nil, and no statement is timed, which spares what timing costs.
    var slowStatementThreshold: Duration? { get }

    /// Whether statements are told that read a whole table where an index would find their rows. It is meant for development: each
    /// new statement is planned a second time, on tables without rows.
    var tellsMissingIndexes: Bool { get }

    /// Whether each read behind a stream is told, with what it read and how long that took. It is meant for development.
    var tellsStreamReads: Bool { get }

    /// So many changed rows of each commit of the store are told, with their values before and after; 0, and commits are not told.
    /// It is meant for development: each changed row is copied.
    var committedRowLimit: Int { get }

    /// Takes note of an event. It is called on any thread, also in the middle of a read or a write: be quick, and do not
    /// call the store from here.
    ///
    /// - Parameter event: What happened. It holds no values that the app stores, unless the app itself wrote them into
    ///   SQL text or into the errors it throws, or asked for changed rows by ``committedRowLimit``.
    func record(_ event: StorageEvent)
}

extension StorageMonitor {
    /// A tenth of a second.
    public var slowStatementThreshold: Duration? { .milliseconds(100) }

    /// They are not.
    public var tellsMissingIndexes: Bool { false }

    /// They are not.
    public var tellsStreamReads: Bool { false }

    /// None.
    public var committedRowLimit: Int { 0 }
}
