/// Counts the rows that a plan asks for.
final class LiveCount<R: StorageKitEntityRecord>: LiveReader {
    private let live: LiveTable<R>
    private let query: LoweredQuery
    let latest = LatestValue<Int>()

    init(_ live: LiveTable<R>, _ query: LoweredQuery) {
        self.live = live
        self.query = query
    }

    func read(_ pending: LivePending) async throws -> Bool {
        guard pending.take() != .nothing else { return false }
        let schema = live.schema()
        let count = try await live.db.converting(.read, live.table) {
            try await live.db.readRows(mayBeBrief: query.searches.isEmpty) { [live, query] db in
                _ = try live.shape(db, schema)
                return try db.count(query, of: live.table)
            }
        }
        return latest.value != count && latest.become(count)
    }
}
