/// What a live value reads, so that it hears of what may concern it and of nothing else.
final class LiveReads: Sendable {
    /// Which changes concern it.
    let scope: LiveScope
    /// What to collect of the changes of each table.
    let tracked: [(table: SourceTable, columns: [String: ColumnInterest])]
    /// Where changes of the table that is observed matter, if its reader says that.
    let stretch: LiveStretch?

    /// What nobody looks into: any change concerns it as a whole.
    init(_ others: TablesRead = TablesRead()) {
        scope = LiveScope(others)
        tracked = []
        stretch = nil
    }

    /// - Parameter hasStretch: Whether the reader holds a stretch of the list, and says where that ends.
    init(_ plan: QueryPlan, _ trails: Trails, hasStretch: Bool = false) {
        stretch = hasStretch ? LiveStretch(plan, trails) : nil
        let tables = Dictionary(
            (trails.all.map(\.table) + (plan.table.rows == nil ? [plan.table] : [])).map {
                ($0.name.asciiLowercased, $0)
            }, uniquingKeysWith: { $1 })
        var traced = Set(tables.keys)
        traced.subtract(trails.untraced.names)
        // Whoever reads all columns is concerned by each change, and what is not traced may read any.
        let columns =
            trails.mayReadOtherColumns
            ? [:]
            : trails.columns.filter { table, columns in
                !trails.untraced.mayRead(table) && columns.count < tables[table]?.columns.count ?? 0
            }
        scope = LiveScope(
            plan.otherTablesRead, traced: trails.untraced.mayBeMore ? [] : traced, columns: columns)
        var interests: [String: [String: ColumnInterest]] = columns.mapValues { columns in
            Dictionary(uniqueKeysWithValues: columns.map { ($0, []) })
        }
        func add(_ interest: ColumnInterest, in column: String, of table: String) {
            interests[table, default: [:]][column, default: []].insert(interest)
        }
        for trail in trails.all {
            if let column = trail.formerColumn { add(.formerValues, in: column, of: trail.table.name.asciiLowercased) }
        }
        for history in (plan.keyHistories ?? []).joined() {
            add(.formerValues, in: history.column, of: history.table)
        }
        if let column = stretch?.tracked { add(.allValues, in: column, of: plan.table.name.asciiLowercased) }
        tracked = tables.map { ($0.value, interests[$0.key] ?? [:]) }
    }

    /// The tables beside the one that is observed.
    var others: TablesRead { scope.others }

    /// The change without rows that stand beyond the stretch.
    ///
    /// - Parameters:
    ///   - change: What a commit changed of all that has the same scope.
    ///   - own: The lowercased name of the table that is observed.
    func narrowed(_ change: LiveChange, of own: String) -> LiveChange {
        guard let stretch, case .rows(var rows) = change, let changed = rows[own],
            stretch.isPassedOver(by: changed.ids, changed.values)
        else { return change }
        rows[own] = nil
        return rows.isEmpty ? .nothing : .rows(rows)
    }
}

/// Which changes concern what is read: of a thousand badges on a thousand queries they are the same, so that a commit is compared with
/// them once.
struct LiveScope: Hashable, Sendable {
    /// The tables beside the one that is observed.
    let others: TablesRead
    /// The lowercased names of the tables whose changed rows tell which rows of the value they concern.
    private let traced: Set<String>
    /// The columns that are read of a table, by its lowercased name; all where it has no entry.
    private let columns: [String: Set<String>]

    init(_ others: TablesRead, traced: Set<String> = [], columns: [String: Set<String>] = [:]) {
        self.others = others
        self.traced = traced
        self.columns = columns
    }

    /// Which of a commit's changes concern whoever reads this.
    ///
    /// - Parameters:
    ///   - tables: What the commit changed.
    ///   - own: The lowercased name of the table that is observed.
    ///   - knowsRows: Whether that one is followed row by row.
    ///   - tablesOfRows: The tables whose changes SQLite tells of; nil while they are not known.
    func change(
        in tables: [String: TableChange], of own: String, knowsRows: Bool, tablesOfRows: Set<String>?
    ) -> LiveChange {
        if !others.isEmpty {
            // Of views and virtual tables nobody says when they change.
            guard !others.mayBeMore, let tablesOfRows, others.names.isSubset(of: tablesOfRows) else { return .anything }
        }
        var rows: [String: ChangedRows] = [:]
        for (table, change) in tables where table == own || others.names.contains(table) {
            guard case .rows(let ids, let values) = change, table != own || knowsRows else { return .anything }
            if let columns = columns[table], !values.touches(columns) { continue }
            guard traced.contains(table) else { return .anything }
            rows[table] = ChangedRows(ids: ids, values: values)
        }
        return rows.isEmpty ? .nothing : .rows(rows)
    }
}
