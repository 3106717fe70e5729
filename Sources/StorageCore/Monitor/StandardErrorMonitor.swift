/// Writes each event as a line to standard error.
public struct StandardErrorMonitor: StorageMonitor {
    /// Statements that take at least so long are told.
    public let slowStatementThreshold: Duration?

    /// Creates a monitor.
    ///
    /// - Parameter slowStatementThreshold: Statements that take at least so long are told; nil for none.
    public init(slowStatementThreshold: Duration? = .milliseconds(100)) {
        self.slowStatementThreshold = slowStatementThreshold
    }

    /// Writes a line.
    public func record(_ event: StorageEvent) {
        FileHandle.standardError.write(Data("StorageKit: \(event)\n".utf8))
    }
}
