import Logging
import StorageKit
import Synchronization
import Testing

@testable import ContactServerKit

@Suite struct LogMonitorTests {
    @Test func problemsAreWarningsAndTheRestIsInformation() {
        let lines = LoggedLines()
        let monitor = LogMonitor(logger: Logger(label: "test") { _ in lines })
        monitor.record(.migration("Creating table 'contacts'"))
        monitor.record(.slowStatement(SlowStatement(sql: "SELECT 1", duration: .milliseconds(120))))
        #expect(lines.all == ["info migration: Creating table 'contacts'", "warning slow statement, 120 ms: SELECT 1"])
    }

    @Test func aServedBookLogsWhatItsStartDid() throws {
        let lines = LoggedLines()
        let folder = try TestServer()
        let monitor = LogMonitor(logger: Logger(label: "test") { _ in lines })
        _ = try folder.openBook(monitor: monitor)
        #expect(lines.all.contains { $0.hasPrefix("info migration: ") && $0.contains("contacts") }, "\(lines.all)")
    }
}

/// Keeps the lines of a logger.
private final class LoggedLines: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.level) \(event.message)") }
    }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
}
