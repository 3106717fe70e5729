import GRDB

/// How a plan's rows are read so that they can be kept in order.
struct LiveSort: Sendable {
    let order: RowOrder
    /// How many rows to keep; nil for all. Those that an offset passes over are kept too, or nobody would know of a change
    /// among them.
    let window: Int?
    private let plan: QueryPlan
    private let rowid: String?
    /// What the order calculates or has from other tables, to be selected behind the columns.
    private let others: [ExpressionNode]
    /// Where in a row the values of the order stand.
    private let keyColumns: [Int32]
    private let idColumn: Int32

    /// More rows than these are not kept for an offset.
    private static let mostPassedOver = 10_000

    /// - Returns: Nil if the rows cannot be followed one by one.
    init?<R>(_ plan: QueryPlan, _ table: RecordTable<R>, _ shape: TableShape, _ db: Database) throws {
        let offset = plan.offset ?? 0
        // Any row may change the ranks of all others, and what is found of others where their condition looks at it.
        guard plan.search == nil, !plan.otherTablesRead.mayRead(table.name.asciiLowercased), shape.hasKnownRows,
            offset <= LiveSort.mostPassedOver
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
        var others: [ExpressionNode] = []
        for term in plan.order {
            let isDecimal = try plan.form(of: term.expression).isDecimal
            let column = plan.ownColumn(term.expression)
            if let index = table.columns.firstIndex(where: { $0.name == column }) {
                if shape.collatedColumns.contains(table.columns[index].name), !isDecimal { return nil }
                keyColumns.append(Int32(index))
            } else {
                guard try isDecimal || db.comparesBytes(term.expression, in: plan) else { return nil }
                keyColumns.append(Int32(table.columns.count + others.count))
                others.append(term.expression)
            }
            terms.append(
                .init(isDescending: term.order == .descending, nullsFirst: term.nullsFirst, isDecimal: isDecimal))
        }
        guard let id = table.columns.firstIndex(where: { $0.name == table.idColumn }) else { return nil }
        idColumn = Int32(id)
        self.keyColumns = keyColumns
        self.others = others
        order = RowOrder(terms: terms)
    }

    /// The SELECT of all rows.
    func query() throws -> LoweredQuery {
        try sql(of: plan)
    }

    private func sql(of plan: QueryPlan) throws -> LoweredQuery {
        try plan.selectSQL(alsoSelecting: others, rowid: rowid)
    }

    /// Runs a SELECT of ``query(_:)``'s columns.
    func items<R: StorageKitEntityRecord>(
        _ db: Database, _ query: LoweredQuery, _ table: RecordTable<R>
    ) throws -> [LiveRows<R.E>.Item] {
        var items: [LiveRows<R.E>.Item] = []
        try db.forEachRow(query, coders: table.coders) { row in
            let entity = try EntityCodec.decode(R.self, &row)
            let keys = keyColumns.map { row.storedValue(at: $0) }
            let rowid =
                rowid == nil ? 0 : try row.integer(at: Int32(table.columns.count + others.count), as: Int64.self)
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
            return try items(db, sql(of: changed), table).filter { asked.contains($0.id) }
        }
    }

    private static let idsAtATime = 500
}

extension Database {
    /// Whether SQLite sorts by an expression as ``RowOrder`` does. A number has no collation; of texts only those of a column
    /// are looked at.
    fileprivate func comparesBytes(_ expression: ExpressionNode, in plan: QueryPlan) throws -> Bool {
        switch try plan.form(of: expression).type {
        case .integer, .real, .boolean: return true
        default:
            guard case .column(let name, let source?) = expression else { return false }
            return try comparesBytes(name, of: source.table.name)
        }
    }
}
