import GRDB

/// How a plan's rows are read so that they can be kept in order.
struct LiveSort: Sendable {
    let order: RowOrder
    /// How many rows to keep; nil for all. Those that an offset passes over are kept too, or nobody would know of a change
    /// among them.
    let window: Int?
    private let plan: QueryPlan
    private let rowid: String?
    /// Where in a row the values of the order stand.
    private let keyColumns: [Int32]
    private let idColumn: Int32

    /// More rows than these are not kept for an offset.
    private static let mostPassedOver = 10_000

    /// - Returns: Nil if the rows cannot be followed one by one.
    init?<R>(_ plan: QueryPlan, _ table: RecordTable<R>, _ shape: TableShape) {
        let offset = plan.offset ?? 0
        // Any row may change the ranks of all others, and rows of other tables what is found.
        guard plan.search == nil, !plan.meansSeveralSources, shape.hasKnownRows, offset <= LiveSort.mostPassedOver
        else { return nil }
        var plan = plan
        // Rows that are alike to the order stand as SQLite meets them in the table, which is what `fetch()` returns.
        let isTotal = plan.order.contains { plan.ownColumn($0.expression) == table.idColumn }
        rowid = isTotal ? nil : shape.rowid
        if !isTotal, rowid == nil { plan.sort(by: table.idColumn, .ascending) }
        window = plan.limit.flatMap { limit in
            let (sum, isTooLarge) = limit.addingReportingOverflow(offset)
            return isTooLarge ? nil : sum
        }
        plan.limit = window
        plan.offset = nil
        self.plan = plan
        var terms: [RowOrder.Term] = []
        var keyColumns: [Int32] = []
        for term in plan.order {
            guard let column = plan.ownColumn(term.expression),
                let index = table.source.columns.firstIndex(where: { $0.name == column })
            else { return nil }
            let isDecimal = table.source.columns[index].form.isDecimal
            if shape.collatedColumns.contains(column), !isDecimal { return nil }
            keyColumns.append(Int32(index))
            terms.append(
                .init(isDescending: term.order == .descending, nullsFirst: term.nullsFirst, isDecimal: isDecimal))
        }
        guard let id = table.columns.firstIndex(where: { $0.name == table.idColumn }) else { return nil }
        idColumn = Int32(id)
        self.keyColumns = keyColumns
        order = RowOrder(terms: terms)
    }

    /// The SELECT of all rows.
    func query() throws -> LoweredQuery {
        try plan.selectSQL(rowid: rowid)
    }

    /// Runs a SELECT of ``query(_:)``'s columns.
    func items<R: StorageKitEntityRecord>(
        _ db: Database, _ query: LoweredQuery, _ table: RecordTable<R>
    ) throws -> [LiveRows<R.E>.Item] {
        var items: [LiveRows<R.E>.Item] = []
        try db.forEachRow(query, coders: table.coders) { row in
            let entity = try EntityCodec.decode(R.self, &row)
            let keys = keyColumns.map { row.storedValue(at: $0) }
            let rowid = rowid == nil ? 0 : try row.integer(at: Int32(table.columns.count), as: Int64.self)
            items.append(
                .init(id: row.storedValue(at: idColumn), place: .init(keys: keys, rowid: rowid), entity: entity))
        }
        return items
    }

    /// Those of some rows that the plan asks for, its window left out.
    func items<R: StorageKitEntityRecord>(
        _ db: Database, having asked: Set<StoredValue>, _ table: RecordTable<R>
    ) throws -> [LiveRows<R.E>.Item] {
        var plan = plan
        plan.limit = nil
        let ids = Array(asked)
        return try stride(from: 0, to: ids.count, by: LiveSort.idsAtATime).flatMap { start in
            let part = Array(ids[start..<min(start + LiveSort.idsAtATime, ids.count)])
            var changed = plan
            changed.add(.isIn(.column(table.idColumn, of: nil), part, orNull: false))
            // A date or a decimal is found in other spellings too, which are ids of other rows.
            return try items(db, changed.selectSQL(rowid: rowid), table).filter { asked.contains($0.id) }
        }
    }

    private static let idsAtATime = 500
}
