/// Reads what a read of a table gives, be it of other tables too: the whole again after each change.
final class LiveRead<R: StorageKitEntityRecord, Value: Sendable>: LiveReader {
    private let live: LiveTable<R>
    private let query: TableRead<Value>
    private let others: TablesRead
    private let isRepeated: (@Sendable (Value, Value) -> Bool)?
    let latest = LatestValue<Value>()

    var table: String? { live.table.name }
    var sql: String { query.sql }

    /// - Parameters:
    ///   - live: The table.
    ///   - query: The read.
    ///   - others: The tables that it reads beside that one.
    ///   - isRepeated: Tells a value of which nobody need hear.
    init(
        _ live: LiveTable<R>, _ query: TableRead<Value>, reading others: TablesRead,
        isRepeated: (@Sendable (Value, Value) -> Bool)?
    ) {
        self.live = live
        self.query = query
        self.others = others
        self.isRepeated = isRepeated
    }

    func read(_ pending: LivePending) async throws -> LiveOutcome {
        guard pending.take() != .nothing else { return .nothing }
        let value = try await live.read(mayBeBrief: query.mayBeBrief, with: others) { [query] db, _ in
            try query.body(db)
        }
        if let isRepeated, let last = latest.value, isRepeated(last, value) { return .all(isNew: false) }
        return .all(isNew: latest.become(value))
    }
}
