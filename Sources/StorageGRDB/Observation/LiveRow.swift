import GRDB
import Synchronization

/// Reads the entity with one id, unless the save that changed it left it here.
final class LiveRow<R: StorageKitEntityRecord>: LiveReader {
    private let live: LiveTable<R>
    private let id: StoredValue
    let latest = LatestValue<R.E?>()
    private let state = Mutex(LiveRowState())

    var table: String? { live.table.name }
    var sql: String { live.table.sql.selectByIdSQL }

    init(_ live: LiveTable<R>, id: StoredValue) {
        self.live = live
        self.id = id
    }

    func readNow(_ pending: LivePending) -> LiveOutcome? {
        let (change, number) = pending.takeNumbered()
        guard change != .nothing else { return .nothing }
        if change != .anything, let saved = state.withLock({ $0.takeOffered(by: number) }) {
            let isNew = become(saved.values) { unsafeDowncast(saved, to: SavedEntity<R.E>.self).entity }
            return LiveOutcome(isNew: isNew, read: nil)
        }
        guard let found = findNow() else {
            pending.add(change)
            return nil
        }
        return outcome(found)
    }

    func read(_ pending: LivePending) async throws -> LiveOutcome {
        guard pending.take() != .nothing else { return .nothing }
        return outcome(try await find())
    }

    func offer(_ saved: any SavedColumns, _ pending: LivePending) {
        state.withLock { $0.offered = (saved, pending.number) }
    }

    private func outcome(_ found: FoundRow<R.E>) -> LiveOutcome {
        .all(isNew: become(found.values) { found.entity }, found.entity == nil ? 0 : 1)
    }

    /// - Returns: Whether it is another row than before.
    private func become(_ values: [StoredValue], _ entity: () -> R.E?) -> Bool {
        state.withLock { $0.isNew(values) } && latest.become(entity())
    }

    /// - Returns: Nil if it is not known what the table is, or no connection was free.
    private func findNow() -> FoundRow<R.E>? {
        var found = FoundRow<R.E>()
        guard live.knowsShape(live.schema()),
            live.db.readRowAtOnce(live.table, id: id, { found = try FoundRow(live.table, &$0) })
        else { return nil }
        return found
    }

    private func find() async throws -> FoundRow<R.E> {
        try await live.read { [live, id] db, _ in
            var found = FoundRow<R.E>()
            try db.readRow(of: live.table, id: id) { found = try FoundRow(live.table, &$0) }
            return found
        }
    }
}

private struct LiveRowState {
    /// All columns of the row when it was read last, the time of its last save among them; none where there was no row. An
    /// app's own `==` may look at none but the id.
    private var last: [StoredValue]?
    /// What was saved, and the number of the change that did.
    var offered: (saved: any SavedColumns, number: Int)?

    mutating func isNew(_ values: [StoredValue]) -> Bool {
        defer { last = values }
        return last != values
    }

    /// - Returns: Nil if that change has left nothing here.
    mutating func takeOffered(by number: Int) -> (any SavedColumns)? {
        defer { offered = nil }
        return offered.flatMap { $0.number == number ? $0.saved : nil }
    }
}

private struct FoundRow<Entity: Sendable>: Sendable {
    var entity: Entity?
    var values: [StoredValue] = []
}

extension FoundRow {
    init<R: StorageKitEntityRecord>(_ table: RecordTable<R>, _ row: inout RowReader) throws where R.E == Entity {
        self.init(
            entity: try EntityCodec.decode(R.self, &row),
            values: table.columns.indices.map { row.storedValue(at: Int32($0)) })
    }
}
