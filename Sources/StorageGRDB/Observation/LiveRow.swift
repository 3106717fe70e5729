import GRDB
import Synchronization

/// Reads the entity with one id, unless the save that changed it left its columns here.
///
/// What is kept between reads is columns and no entity: of a type that is known at run time only, each step would have to look
/// up its metadata.
final class LiveRow<R: StorageKitEntityRecord>: LiveReader {
    private let live: LiveTable<R>
    private let id: StoredValue
    private let state = Mutex(LiveRowState())

    init(_ live: LiveTable<R>, id: StoredValue) {
        self.live = live
        self.id = id
    }

    func readNow(_ pending: LivePending) -> LiveReading<R.E?>? {
        let (change, number) = pending.takeNumbered()
        guard change != .nothing else { return .unchanged }
        if change != .anything, let reading = offered(by: number) { return reading }
        guard let found = findNow() else {
            pending.add(change)
            return nil
        }
        return reading(found.entity, found.values)
    }

    func read(_ pending: LivePending) async throws -> LiveReading<R.E?> {
        guard pending.take() != .nothing else { return .unchanged }
        let found = try await find()
        return reading(found.entity, found.values)
    }

    func offer(_ values: [StoredValue], _ pending: LivePending) {
        state.withLock { $0.offered = (values, pending.number) }
    }

    /// - Returns: Nil if the last change has left nothing here.
    private func offered(by number: Int) -> LiveReading<R.E?>? {
        let offered = state.withLock { $0.takeOffered() }
        guard let offered, offered.number == number, let entity = try? live.table.entity(from: offered.values) else {
            return nil
        }
        return reading(entity, offered.values)
    }

    private func reading(_ entity: R.E?, _ values: [StoredValue]) -> LiveReading<R.E?> {
        state.withLock { $0.isNew(values) } ? .value(entity) : .unchanged
    }

    /// - Returns: Nil if it is not known what the table is, or no lane could tell.
    private func findNow() -> FoundRow<R.E>? {
        var found = FoundRow<R.E>()
        guard live.knowsShape(live.schema()),
            live.db.lanes?.row(live.table, id: id, { found = try FoundRow(live.table, &$0) }) == true
        else { return nil }
        return found
    }

    private func find() async throws -> FoundRow<R.E> {
        let schema = live.schema()
        return try await live.db.converting(.read, live.table) {
            try await live.db.readRow { [live, id] db in
                _ = try live.shape(db, schema)
                return try db.row(of: live.table, id: id)
            }
        }
    }
}

private struct LiveRowState {
    /// All columns of the row when it was read last, the time of its last save among them; none where there was no row. An
    /// app's own `==` may look at none but the id.
    private var last: [StoredValue]?
    /// What was saved, and the number of the change that did.
    var offered: (values: [StoredValue], number: Int)?

    mutating func isNew(_ values: [StoredValue]) -> Bool {
        defer { last = values }
        return last != values
    }

    mutating func takeOffered() -> (values: [StoredValue], number: Int)? {
        defer { offered = nil }
        return offered
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

extension Database {
    fileprivate func row<R: StorageKitEntityRecord>(of table: RecordTable<R>, id: StoredValue) throws -> FoundRow<R.E> {
        let statement = try cachedStatement(sql: table.sql.selectByIdSQL)
        try statement.bind(table.sql.idArguments(id))
        var found = FoundRow<R.E>()
        try EntityCodec.forEachRow(in: statement, coders: table.coders) { found = try FoundRow(table, &$0) }
        return found
    }
}
