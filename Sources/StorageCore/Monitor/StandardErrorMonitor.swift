/// Writes each event as a line to standard error.
public struct StandardErrorMonitor: StorageMonitor {
    /// Statements that take at least so long are told.
    public let slowStatementThreshold: Duration?
    /// Whether indexes that statements lack are told.
    public let tellsMissingIndexes: Bool
    /// Whether each read behind a stream is told.
    public let tellsStreamReads: Bool

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - slowStatementThreshold: Statements that take at least so long are told; nil for none.
    ///   - tellsMissingIndexes: Whether indexes that statements lack are told.
    ///   - tellsStreamReads: Whether each read behind a stream is told.
    public init(
        slowStatementThreshold: Duration? = .milliseconds(100), tellsMissingIndexes: Bool = false,
        tellsStreamReads: Bool = false
    ) {
        self.slowStatementThreshold = slowStatementThreshold
        self.tellsMissingIndexes = tellsMissingIndexes
        self.tellsStreamReads = tellsStreamReads
    }

    /// Writes a line. One that cannot be written, to a full disk say, is lost.
    public func record(_ event: StorageEvent) {
        // Without `contentsOf:` a line that cannot be written ends the process.
        try? FileHandle.standardError.write(contentsOf: Data("StorageKit: \(event)\n".utf8))
    }
}
