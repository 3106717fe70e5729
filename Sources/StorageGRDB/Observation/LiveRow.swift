import GRDB
import Synchronization

/// Reads the entity with one id.
final class LiveRow<R: StorageKitEntityRecord>: LiveReader {
    private let live: LiveTable<R>
    private let id: StoredValue
    /// What the row held when it was read last.
    private let last = Mutex<FoundRow<R.E>?>(nil)

    init(_ live: LiveTable<R>, id: StoredValue) {
        self.live = live
        self.id = id
    }

    func readNow(_ pending: LivePending) -> LiveReading<R.E?>? {
        let change = pending.take()
        guard change != .nothing else { return .unchanged }
        guard let found = findNow() else {
            pending.add(change)
            return nil
        }
        return reading(found)
    }

    func read(_ pending: LivePending) async throws -> LiveReading<R.E?> {
        guard pending.take() != .nothing else { return .unchanged }
        return try await reading(find())
    }

    private func reading(_ found: FoundRow<R.E>) -> LiveReading<R.E?> {
        let isNew = last.withLock { last in
            defer { last = found }
            return last.map { $0.values != found.values } ?? true
        }
        return isNew ? .value(found.entity) : .unchanged
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

private struct FoundRow<Entity: Sendable>: Sendable {
    var entity: Entity?
    /// All columns, the time of the last save among them. An app's own `==` may look at none but the id.
    var values: [StoredValue] = []

    init() {}

    init<R: StorageKitEntityRecord>(_ table: RecordTable<R>, _ row: inout RowReader) throws where R.E == Entity {
        entity = try EntityCodec.decode(R.self, &row)
        values = table.columns.indices.map { row.storedValue(at: Int32($0)) }
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
