/// Writes each event as a line to standard error.
public struct StandardErrorMonitor: StorageMonitor {
    /// Statements that take at least so long are told.
    public let slowStatementThreshold: Duration?
    /// Whether indexes that statements lack are told.
    public let tellsMissingIndexes: Bool

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - slowStatementThreshold: Statements that take at least so long are told; nil for none.
    ///   - tellsMissingIndexes: Whether indexes that statements lack are told.
    public init(slowStatementThreshold: Duration? = .milliseconds(100), tellsMissingIndexes: Bool = false) {
        self.slowStatementThreshold = slowStatementThreshold
        self.tellsMissingIndexes = tellsMissingIndexes
    }

    /// Writes a line.
    public func record(_ event: StorageEvent) {
        FileHandle.standardError.write(Data("StorageKit: \(event)\n".utf8))
    }
}
