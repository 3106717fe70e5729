import GRDB
import Synchronization

/// Reads the rows that a plan asks for: all of them once, and after that those that changed.
final class LiveList<R: StorageKitEntityRecord>: LiveReader {
    private let live: LiveTable<R>
    private let plan: QueryPlan
    /// The tables that the plan reads beside this one. A change of theirs asks for all rows.
    private let others: TablesRead
    let latest = LatestValue<[R.E]>()
    /// The rows as they were read last; nil where they cannot be followed one by one.
    private let held = Mutex<LiveRows<R.E>?>(nil)

    init(_ live: LiveTable<R>, _ plan: QueryPlan) {
        self.live = live
        self.plan = plan
        others = plan.otherTablesRead
    }

    func read(_ pending: LivePending) async throws -> Bool {
        let count = pending.rowCount
        if count == 0 { return false }
        return try await live.db.converting(.read, live.table) {
            if let count, held.withLock({ $0 != nil }), let isNew = try await readChanged(pending, count) {
                return isNew
            }
            return latest.become(try await readAll(pending))
        }
    }

    // MARK: - All rows

    private func readAll(_ pending: LivePending) async throws -> [R.E] {
        let schema = live.schema()
        _ = pending.take()
        let (entities, rows) = try await live.db.readRows(mayBeBrief: false) { [self] db in
            let shape = try live.shape(db, schema, with: others)
            if live.db.changes.canServeCaches, let sort = try LiveSort(plan, live.table, shape, db) {
                let items = try sort.items(db, sort.query(), live.table)
                if let rows = LiveRows(items, order: sort.order, window: sort.window) {
                    return (visible(rows), LiveRows?.some(rows))
                }
            }
            return (try db.entities(plan.selectSQL(), of: live.table), nil)
        }
        held.withLock { $0 = rows }
        return entities
    }

    private func visible(_ rows: LiveRows<R.E>) -> [R.E] {
        guard let offset = plan.offset, offset > 0 else { return rows.entities }
        return Array(rows.entities.dropFirst(offset))
    }

    // MARK: - Changed rows

    /// Nil if all rows have to be read.
    private func readChanged(_ pending: LivePending, _ count: Int) async throws -> Bool? {
        let schema = live.schema()
        return try await live.db.readToldState(isShort: count <= 32, pending) { [self] db, changes in
            guard case .rows(let ids) = changes,
                let sort = try LiveSort(plan, live.table, live.shape(db, schema, with: others), db)
            else {
                pending.add(.anything)
                return nil
            }
            let found = try sort.items(db, having: ids, live.table)
            return held.withLock { rows in
                switch rows?.apply(ids, found: found) {
                case .unchanged: return false
                case .changed: return rows.map { latest.become(visible($0)) }
                case .incomplete, nil:
                    pending.add(.anything)
                    return nil
                }
            }
        }
    }
}
