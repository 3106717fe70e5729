import GRDB
import Synchronization

/// How a plan's rows, or its groups, are read so that they can be kept in order, and some of them read again.
final class LiveSort: Sendable {
    let order: RowOrder
    /// How many rows to keep; nil for all. Those that an offset passes over are kept too, or nobody would know of a change
    /// among them.
    let window: Int?
    private let plan: QueryPlan
    private let rowid: String?
    /// What is selected behind all that the list shows: what tells rows apart, and what they are sorted by.
    private let behind: [ExpressionNode]
    /// Where in a row the values of the order stand.
    private let keyColumns: [Int32]
    /// Where that stands which tells rows apart.
    private let idColumns: [Int32]
    private let rowidColumn: Int32
    private let traces: LiveTraces
    /// The SELECT of one row, or one group, for any; nil before it was asked for.
    private let ofOne = Mutex<QueryOfOne?>(nil)

    /// More rows than these are not kept for an offset.
    private static let mostPassedOver = 10_000

    /// - Returns: Nil if the rows cannot be followed one by one.
    init?<R>(
        _ plan: QueryPlan, _ trails: Trails, _ table: RecordTable<R>, _ shape: TableShape, _ db: Database
    ) throws {
        let offset = plan.offset ?? 0
        // Any row may change the ranks of all others, and equal rows that count once have no id.
        guard plan.search == nil, plan.joins.isEmpty, plan.table.rows == nil, !plan.isDistinct, shape.hasKnownRows,
            offset <= LiveSort.mostPassedOver, let traces = try LiveTraces(plan, trails, db)
        else { return nil }
        let identity = plan.groupKeys ?? [.column(table.idColumn, of: nil)]
        // The order has two spellings of one decimal id in one place.
        guard try plan.groupKeys != nil || !plan.form(of: identity[0]).isDecimal else { return nil }
        self.traces = traces
        var plan = plan
        // Rows that are alike to the order stand as SQLite meets them in the table. So they do in what `fetch()` returns, unless it goes
        // through an index backwards.
        let isTotal = plan.order.contains { plan.ownColumn($0.expression) == table.idColumn }
        rowid = isTotal || plan.groupKeys != nil ? nil : shape.rowid
        if !isTotal, rowid == nil, plan.groupKeys == nil { plan.sort(by: table.idColumn, .ascending) }
        window = plan.limit.flatMap { limit in
            let (sum, isTooLarge) = limit.addingReportingOverflow(offset)
            return isTooLarge ? nil : sum
        }
        plan.limit = window
        plan.offset = nil
        var behind: [ExpressionNode] = []
        let shown = plan.selection?.count ?? table.columns.count
        func place(of node: ExpressionNode) -> Int32 {
            // All columns of an entity are there.
            if plan.selection == nil, let name = plan.ownColumn(node),
                let index = table.columns.firstIndex(where: { $0.name == name })
            {
                return Int32(index)
            }
            behind.append(node)
            return Int32(shown + behind.count - 1)
        }
        idColumns = identity.map(place)
        var terms: [RowOrder.Term] = []
        var keyColumns: [Int32] = []
        for term in plan.order {
            let isDecimal = try plan.form(of: term.expression).isDecimal
            guard try isDecimal || db.comparesBytes(term.expression, in: plan) else { return nil }
            keyColumns.append(place(of: term.expression))
            terms.append(
                .init(isDescending: term.order == .descending, nullsFirst: term.nullsFirst, isDecimal: isDecimal))
        }
        self.plan = plan
        self.keyColumns = keyColumns
        self.behind = behind
        rowidColumn = Int32(shown + behind.count)
        order = RowOrder(terms: terms)
    }

    // MARK: - Queries

    /// The SELECT of those of some rows, or groups, that the plan asks for, its window left out.
    ///
    /// - Throws: If it cannot be written: with one condition more, a plan may be nested deeper than SQLite's parser follows.
    private func query(of concerned: ConcernedRows) throws -> LoweredQuery {
        if let (key, value) = concerned.one { return try query(where: key, is: value) }
        return try query(with: concerned.condition)
    }

    /// The SELECT of one row or group. It is written once: that takes longer than to run it.
    private func query(where key: ExpressionNode, is value: StoredValue) throws -> LoweredQuery {
        try ofOne.withLock { ofOne in
            let one = try ofOne ?? QueryOfOne(query(with: .compareStored(.equal, key, QueryOfOne.anyValue)))
            ofOne = one
            return one.query(of: value)
        }
    }

    private func query(with condition: ExpressionNode) throws -> LoweredQuery {
        var plan = plan
        plan.limit = nil
        plan.order = []
        plan.add(condition)
        return try sql(of: plan)
    }

    private func sql(of plan: QueryPlan) throws -> LoweredQuery {
        try plan.selection == nil
            ? plan.selectSQL(alsoSelecting: behind, rowid: rowid)
            : plan.selectionSQL(alsoSelecting: behind, rowid: rowid)
    }

    /// The rows, or groups, that changes of some tables may concern; nil for all.
    func concerned(_ db: Database, by changes: [String: ChangedRows]) throws -> ConcernedRows? {
        try traces.concerned(db, by: changes)
    }

    // MARK: - Rows

    /// All rows.
    ///
    /// - Parameters:
    ///   - table: The plan's table.
    ///   - decode: Reads one of its rows.
    /// - Returns: Nil if one of them cannot be read, which may be one that an offset passes over.
    func all<R, Row>(
        _ table: RecordTable<R>, _ db: Database, _ decode: (inout RowReader) throws -> Row
    ) throws -> [LiveRows<Row>.Item]? {
        try readable(sql(of: plan), table, db, decode)
    }

    /// Those of some rows, or groups, that the plan asks for, its window left out.
    ///
    /// - Returns: Nil if they cannot be asked for, or one of them cannot be read, which may be none that the list shows: then all have
    ///   to be read.
    func rows<R, Row>(
        of concerned: ConcernedRows, _ table: RecordTable<R>, _ db: Database, _ decode: (inout RowReader) throws -> Row
    ) throws -> [LiveRows<Row>.Item]? {
        guard let query = try? query(of: concerned) else { return nil }
        return try readable(query, table, db, decode)?.filter { concerned.contains($0.id) }
    }

    /// - Returns: Nil if a row cannot be read.
    private func readable<R, Row>(
        _ query: LoweredQuery, _ table: RecordTable<R>, _ db: Database, _ decode: (inout RowReader) throws -> Row
    ) throws -> [LiveRows<Row>.Item]? {
        var items: [LiveRows<Row>.Item] = []
        do {
            try EntityCodec.namingEntity(R.E.self) {
                try db.forEachRow(query, coders: table.coders) { row in
                    let value = try decode(&row)
                    items.append(.init(id: try id(&row), place: try place(&row), entity: value))
                }
            }
        } catch  where !error.isOfThisCall {
            return nil
        }
        return items
    }

    private func id(_ row: inout RowReader) throws -> StoredValue {
        .together(try idColumns.map { try row.knownValue(at: $0) })
    }

    private func place(_ row: inout RowReader) throws -> RowPlace {
        let rowid = rowid == nil ? 0 : try row.integer(at: rowidColumn, as: Int64.self)
        return RowPlace(keys: try keyColumns.map { try row.knownValue(at: $0) }, rowid: rowid)
    }
}

extension RowReader {
    /// - Throws: If the row cannot be found again by it.
    fileprivate func knownValue(at index: Int32) throws -> StoredValue {
        guard let value = exactValue(at: index) else { throw mismatch(at: index, expected: String.self) }
        return value
    }
}

/// A SELECT of one row, or one group, of which only the value is another each time that it is known by.
private struct QueryOfOne: Sendable {
    private let query: LoweredQuery
    /// Where in the arguments that value stands.
    private let places: [Int]

    /// Stands for the value where the query is written. No argument of the app's equals it.
    static let anyValue = StoredValue.text(UUID().uuidString)

    init(_ query: LoweredQuery) {
        self.query = query
        places = query.arguments.indices.filter { query.arguments[$0] == QueryOfOne.anyValue }
    }

    func query(of value: StoredValue) -> LoweredQuery {
        var query = query
        for place in places { query.arguments[place] = value }
        return query
    }
}

extension Database {
    /// Whether SQLite sorts by an expression as ``RowOrder`` does. A number has no collation, and what is calculated has that of
    /// SQLite itself, unless it is said.
    fileprivate func comparesBytes(_ expression: ExpressionNode, in plan: QueryPlan) throws -> Bool {
        switch try plan.form(of: expression).type {
        case .integer, .real, .boolean: return true
        default: break
        }
        switch expression {
        case .column(let name, let source):
            return try comparesBytes(name, of: (source?.table ?? plan.table).name)
        case .aggregate, .scalar:
            // SQLite hands a collation in an aggregate on to what comes of it.
            let isCollated = expression.contains { if case .collated = $0 { true } else { false } }
            return try !isCollated && comparesBytes(plan.table.idColumn, of: plan.table.name)
        default: return false
        }
    }
}
