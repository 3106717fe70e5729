import Synchronization

/// Counts the rows that a plan asks for.
final class LiveCount<R: StorageKitEntityRecord>: LiveReader {
    private let live: LiveTable<R>
    private let query: LoweredQuery
    private let last = Mutex<Int?>(nil)

    init(_ live: LiveTable<R>, _ query: LoweredQuery) {
        self.live = live
        self.query = query
    }

    func read(_ pending: LivePending) async throws -> LiveReading<Int> {
        guard pending.take() != .nothing else { return .unchanged }
        let schema = live.schema()
        let count = try await live.db.converting(.read, live.table) {
            try await live.db.read { [live, query] db in
                _ = try live.shape(db, schema)
                return try db.count(query, of: live.table)
            }
        }
        return last.withLock { last in
            defer { last = count }
            return last == count ? .unchanged : .value(count)
        }
    }
}
