import Logging
import StorageKit

/// Hands what happens inside the store to swift-log.
struct LogMonitor: StorageMonitor {
    let logger: Logger
    var slowStatementThreshold: Duration? = .milliseconds(100)

    func record(_ event: StorageEvent) {
        logger.log(level: event.isProblem ? .warning : .info, "\(event)")
    }
}
