import GRDB
import Synchronization

/// Reads the list that a plan asks for, be it of entities, of selected values or of groups: all of it once, and after that what a
/// change may concern.
final class LiveList<R: StorageKitEntityRecord, Row: Sendable>: LiveReader {
    private let live: LiveTable<R>
    private let plan: QueryPlan
    private let trails: Trails
    /// The tables that the plan reads beside this one.
    private let others: TablesRead
    private let all: TableRead<[Row]>
    /// Where the list ends, if it has a limit.
    private let stretch: LiveStretch?
    private let decode: @Sendable (inout RowReader) throws -> Row
    let latest = LatestValue<[Row]>()
    /// The rows as they were read last; nil where they cannot be followed one by one.
    private let held = Mutex<Held?>(nil)

    var table: String? { live.table.name }
    var sql: String { all.sql }

    private struct Held {
        let sort: LiveSort
        var rows: LiveRows<Row>
    }

    /// - Parameters:
    ///   - live: The table.
    ///   - plan: What is asked.
    ///   - trails: What the plan's rows depend on.
    ///   - all: Reads all that the plan asks for.
    ///   - stretch: Where to say where the list ends; nil if nobody asks.
    ///   - decode: Reads one of its rows.
    init(
        _ live: LiveTable<R>, _ plan: QueryPlan, _ trails: Trails, _ all: TableRead<[Row]>,
        _ stretch: LiveStretch?, _ decode: @escaping @Sendable (inout RowReader) throws -> Row
    ) {
        self.live = live
        self.plan = plan
        self.trails = trails
        self.all = all
        self.stretch = stretch
        self.decode = decode
        others = plan.otherTablesRead
    }

    func read(_ pending: LivePending) async throws -> LiveOutcome {
        let count = pending.rowCount
        if count == 0 { return .nothing }
        stretch?.forget()
        let outcome = try await live.db.convertingErrors(during: .read, of: live.table) {
            if let count, let sort = held.withLock({ $0?.sort }),
                let outcome = try await readChanged(pending, sort, count)
            {
                return outcome
            }
            let (rows, rowCount) = try await readAll(pending)
            return .all(isNew: latest.become(rows), rowCount)
        }
        // After a read that fails no change is passed over: what mends it may stand anywhere.
        sayStretch()
        return outcome
    }

    private func sayStretch() {
        guard let stretch else { return }
        let (order, end) = held.withLock { ($0?.sort.order, $0?.rows.lastOfWindow) }
        if let order, let end { stretch.become(order, from: nil, to: end) }
    }

    // MARK: - All rows

    /// - Returns: The rows of the value, and how many were read for it.
    private func readAll(_ pending: LivePending) async throws -> (rows: [Row], count: Int) {
        _ = pending.take()
        let (values, held) = try await live.read(mayBeBrief: false, with: others) { [self] db, shape in
            // Whether the list shows a row that cannot be read, the query itself says.
            if live.db.changes.canServeCaches, let sort = try LiveSort(plan, trails, live.table, shape, db),
                let items = try sort.all(live.table, db, decode),
                let rows = LiveRows(items, order: sort.order, window: sort.window)
            {
                return (visible(rows), Held?.some(Held(sort: sort, rows: rows)))
            }
            return (try all.body(db), nil)
        }
        self.held.withLock { $0 = held }
        return (values, held?.rows.entities.count ?? values.count)
    }

    private func visible(_ rows: LiveRows<Row>) -> [Row] {
        guard let offset = plan.offset, offset > 0 else { return rows.entities }
        return Array(rows.entities.dropFirst(offset))
    }

    // MARK: - Changed rows

    /// Nil if all rows have to be read.
    private func readChanged(_ pending: LivePending, _ sort: LiveSort, _ count: Int) async throws -> LiveOutcome? {
        try await live.db.readSnapshot(isShort: all.mayBeBrief && count <= LivePending.fewRows, pending) {
            [self] db, changes in
            guard case .rows(let tables) = changes, let concerned = try sort.concerned(db, by: tables) else {
                return nil
            }
            let areGroups = plan.groupKeys != nil
            if concerned.isEmpty { return .some(isNew: false, 0, areGroups: areGroups) }
            guard let found = try sort.rows(of: concerned, live.table, db, decode) else { return nil }
            return held.withLock { held in
                switch held?.rows.apply(concerned.ids, found: found) {
                case .unchanged: return .some(isNew: false, found.count, areGroups: areGroups)
                case .changed:
                    let isNew = held.map { latest.become(visible($0.rows)) } ?? false
                    return .some(isNew: isNew, found.count, areGroups: areGroups)
                case .incomplete, nil: return nil
                }
            }
        }
    }
}
