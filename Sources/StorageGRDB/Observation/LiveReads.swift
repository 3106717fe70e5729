/// What a live value reads, so that it hears of what may concern it and of nothing else.
final class LiveReads: Sendable {
    /// The tables beside the one that is observed.
    let others: TablesRead
    /// The lowercased names of the tables whose changed rows tell which rows of the value they concern.
    private let traced: Set<String>
    /// The columns that are read of a table, by its lowercased name; all where it has no entry.
    private let columns: [String: Set<String>]
    /// What to collect of the changes of each table.
    let tracked: [(table: SourceTable, columns: [String: ColumnInterest])]
    /// Where changes of the table that is observed matter, if its reader says that.
    let stretch: LiveStretch?

    /// What nobody looks into: any change concerns it as a whole.
    init(_ others: TablesRead = TablesRead()) {
        self.others = others
        traced = []
        columns = [:]
        tracked = []
        stretch = nil
    }

    /// - Parameter hasStretch: Whether the reader holds a stretch of the list, and says where that ends.
    init(_ plan: QueryPlan, _ trails: Trails, hasStretch: Bool = false) {
        stretch = hasStretch ? LiveStretch(plan, trails) : nil
        others = plan.otherTablesRead
        let tables = Dictionary(
            (trails.all.map(\.table) + (plan.table.rows == nil ? [plan.table] : [])).map {
                ($0.name.asciiLowercased, $0)
            }, uniquingKeysWith: { $1 })
        var traced = Set(tables.keys)
        traced.subtract(trails.untraced.names)
        self.traced = trails.untraced.mayBeMore ? [] : traced
        // Whoever reads all columns is concerned by each change, and what is not traced may read any.
        columns =
            trails.mayReadOtherColumns
            ? [:]
            : trails.columns.filter { table, columns in
                !trails.untraced.mayRead(table) && columns.count < tables[table]?.columns.count ?? 0
            }
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

    /// What a commit changed of it.
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
            if table == own, let stretch, stretch.isPassedOver(by: ids, values) { continue }
            rows[table] = ChangedRows(ids: ids, values: values)
        }
        return rows.isEmpty ? .nothing : .rows(rows)
    }
}
