/// Tells a monitor what the streams of a store read.
struct StreamWatch: Sendable {
    private let monitor: any StorageMonitor

    /// Nil if the monitor does not ask for it.
    init?(_ monitor: any StorageMonitor) {
        guard monitor.tellsStreamReads else { return nil }
        self.monitor = monitor
    }

    /// - Parameters:
    ///   - outcome: What came of the read.
    ///   - reader: Who has read.
    ///   - start: When it began.
    func tell(_ outcome: LiveOutcome, of reader: some LiveReader, since start: ContinuousClock.Instant) {
        guard let read = outcome.read else { return }
        let duration = ContinuousClock.now - start
        let rowCount = read.rowCount ?? (reader.latest.value as? any ListOfRows)?.count
        monitor.record(
            .streamRead(
                StreamRead(
                    table: reader.table, sql: reader.sql, scope: read.scope, rowCount: rowCount, isNew: outcome.isNew,
                    duration: duration)))
    }
}

extension DatabaseActor {
    /// Tells what streams read; nil if nobody wants to know.
    var streamWatch: StreamWatch? { monitor.flatMap(StreamWatch.init) }
}

/// A value that is a list, whatever its rows are.
private protocol ListOfRows {
    var count: Int { get }
}

extension Array: ListOfRows {}
