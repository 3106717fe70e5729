/// Something that happened inside a store.
public enum StorageEvent: Sendable {
    /// A statement took longer than the monitor's ``StorageMonitor/slowStatementThreshold``.
    case slowStatement(SlowStatement)
    /// A statement read a whole table where an index would have found its rows. Told once for each statement, to a monitor whose
    /// ``StorageMonitor/tellsMissingIndexes`` is true.
    case missingIndex(MissingIndex)
    /// A line about what a start did to the schema, or found different from it.
    case migration(String)
    /// A cache failed. The read or write that it served went on without it.
    case cacheError(any Error)
    /// The read behind a stream of entities, a selection or SQL failed, and the stream has no handler of its own. The stream goes on.
    case streamError(any Error)
    /// A stream read what it shows, for the first time or since a change may have concerned it. Told to a monitor whose
    /// ``StorageMonitor/tellsStreamReads`` is true.
    case streamRead(StreamRead)
    /// The store committed, with the rows that it changed. Told to a monitor whose ``StorageMonitor/committedRowLimit`` is not 0, where
    /// the SQLite library tells of rows.
    case commit(CommittedRows)
    /// What the caches did since the store was opened. Told when `reportCacheStatistics()` is called.
    case cacheStatistics(CacheStatistics)

    /// Whether somebody ought to look at it: it is slow, or it failed.
    public var isProblem: Bool {
        switch self {
        case .slowStatement, .missingIndex, .cacheError, .streamError: true
        case .migration, .streamRead, .commit, .cacheStatistics: false
        }
    }
}

/// A statement that took long.
public struct SlowStatement: Sendable, Equatable {
    /// The SQL, with `?` for bound values.
    public var sql: String
    /// How long it took, from its first step to its last. Of a query or a save it is the time that SQLite was at work; SQL of the app's
    /// own includes what the app did between rows, and is counted in milliseconds.
    public var duration: Duration
    /// What SQLite does for it, a line a step, as `EXPLAIN QUERY PLAN` says. "SCAN" reads a whole table or index. Empty
    /// if it could not be found out.
    public var plan: [String]

    /// Creates a note of a statement.
    ///
    /// - Parameters:
    ///   - sql: The SQL, with `?` for bound values.
    ///   - duration: How long it took.
    ///   - plan: What SQLite does for it, a line a step.
    public init(sql: String, duration: Duration, plan: [String] = []) {
        self.sql = sql
        self.duration = duration
        self.plan = plan
    }
}

extension StorageEvent: CustomStringConvertible {
    /// One line, for a log.
    public var description: String {
        let text =
            switch self {
            case .slowStatement(let statement): statement.description
            case .missingIndex(let index): index.description
            case .migration(let line): "migration: \(line)"
            case .cacheError(let error): "cache failed: \(error)"
            case .streamError(let error): "stream failed: \(error)"
            case .streamRead(let read): read.description
            case .commit(let rows): "commit: \(rows)"
            case .cacheStatistics(let caches): "caches: memory \(caches.memory.line); disk \(caches.disk.line)"
            }
        return text.onOneLine
    }
}

extension SlowStatement: CustomStringConvertible {
    /// One line: the duration, the SQL and the plan.
    public var description: String {
        let milliseconds = Int((duration / .milliseconds(1)).rounded())
        let steps = plan.isEmpty ? "" : " [\(plan.joined(separator: "; "))]"
        return "slow statement, \(milliseconds) ms: \(sql)\(steps)".onOneLine
    }
}

extension CacheStatistics.Tier {
    fileprivate var line: String {
        "\(hits) hits, \(misses) misses, \(evictions) evictions, \(count) values, \(bytes) bytes"
    }
}
