import GRDB

extension RecordTable {
    /// What a plan selects of each row, or of each group.
    package func selected<Row: Sendable>(_ plan: QueryPlan, _ selected: _Selected<Row>) throws -> TableRead<[Row]> {
        let query = try plan.selectionSQL()
        guard selected.all.related.isEmpty else {
            return reduce(query, selected, into: { [] }) { $0.append(try selected.read(&$1)) }
        }
        return TableRead(query) { [self] db in
            var rows: [Row] = []
            try EntityCodec.namingEntity(R.E.self) {
                try db.withRows(of: query, coders: coders) { try selected.readAll(&$0, &rows) }
            }
            return rows
        }
    }

    /// A page of the rows that a plan asks for, behind a cursor.
    package func page(
        _ plan: QueryPlan, after cursor: PageCursor?, limit: Int
    ) throws -> TableRead<CursorPage<R.E>> {
        var plan = plan
        let nodes = columns.map { ExpressionNode.column($0.name, of: nil) }
        plan.selection = nodes
        let entity = _Selected(nodes) { try EntityCodec.decode(R.self, &$0) }
        return try page(plan, entity, after: cursor, limit: limit)
    }

    /// A page of what a plan selects, behind a cursor.
    package func page<Row: Sendable>(
        _ plan: QueryPlan, _ selected: _Selected<Row>, after cursor: PageCursor?, limit: Int
    ) throws -> TableRead<CursorPage<Row>> {
        try QueryPlan.check(pageLimit: limit)
        guard plan.limit == nil, plan.offset == nil else {
            throw StorageError.invalidQuery("a page has a limit of its own, and goes on behind a cursor")
        }
        let plan = try plan.totallyOrdered()
        let keys = plan.order.map(\.expression)
        let ends = Int32(selected.nodes.count)..<Int32(selected.nodes.count + keys.count)
        // One row more tells whether others follow. A second part is read where the first does not fill the page.
        let lowered: @Sendable (PageCursor?) throws -> [LoweredQuery] = { cursor in
            try (cursor.map(plan.after) ?? [plan]).map { part in
                var part = part
                part.limit = limit == .max ? limit : limit + 1
                return try part.selectionSQL(alsoSelecting: keys)
            }
        }
        let parts = try lowered(cursor)
        let place = try cursor.flatMap(plan.place(of:)).map { query in
            values(query) { row in (0..<Int32(keys.count)).map { row.storedValue(at: $0) } }
        }
        return TableRead(parts[0]) { [self] db in
            var page = (items: [Row](), last: [StoredValue?](), hasMore: false)
            func read(_ part: LoweredQuery) throws {
                page = try reduce(part, selected, alsoReading: keys.count, into: { [page] in page }) { page, row in
                    if page.items.count == limit {
                        page.hasMore = true
                        return
                    }
                    page.items.append(try selected.read(&row))
                    // What the row itself holds: a date may stand there in another form than it would be saved in.
                    page.last = ends.map { row.exactValue(at: $0) }
                }.body(db)
            }
            func readParts() throws {
                let now = try place?.body(db).first
                // A row that is no hit any more stands where it stood.
                let parts = try now.map { try lowered(PageCursor(order: plan.orderName(), values: $0)) } ?? parts
                for part in parts where !page.hasMore { try read(part) }
            }
            if place == nil, parts.count == 1 { try readParts() } else { try db.inOneState(readParts) }
            guard page.hasMore else { return CursorPage(items: page.items, next: nil) }
            let last = page.last.compactMap(\.self)
            guard last.count == page.last.count else {
                throw StorageError.invalidQuery(
                    "table '\(name)': no page goes on behind a row that is sorted by a text which is not UTF-8")
            }
            return CursorPage(items: page.items, next: PageCursor(order: try plan.orderName(), values: last))
        }
    }

    /// A walk over what a plan selects.
    package func walk<Row: Sendable>(
        _ plan: QueryPlan, _ selected: _Selected<Row>, in db: DatabaseActor
    ) -> RowWalk<Row> {
        RowWalk(of: self, in: db) {
            try plan.selectionSQL()
        } read: { [self] rows, db in
            var items: [Row] = []
            if selected.all.related.isEmpty {
                try EntityCodec.namingEntity(R.E.self) {
                    try rows.forEachNext(db) { items.append(try selected.read(&$0)) }
                }
            } else {
                var copies = KeptRows(selected.nodes.count)
                try rows.forEachNext(db) { copies.add($0) }
                try forEachRow(of: copies, selected, db) { items.append(try selected.read(&$0)) }
            }
            return items
        }
    }

    /// What comes of putting selected rows together one by one. Where entities are read beside them, all rows are read first.
    ///
    /// - Parameter count: How many columns there are behind the selected ones.
    func reduce<Row, Result>(
        _ query: LoweredQuery, _ selected: _Selected<Row>, alsoReading count: Int = 0,
        into initial: @escaping @Sendable () -> Result,
        _ update: @escaping @Sendable (inout Result, inout RowReader) throws -> Void
    ) -> TableRead<Result> {
        guard !selected.all.related.isEmpty else { return reduce(query, into: initial, update) }
        return TableRead(query.sql, mayBeBrief: false) { [self] db in
            try db.inOneState {
                var copies = KeptRows(selected.nodes.count + count)
                try db.forEachRow(query, coders: coders) { copies.add($0) }
                var result = initial()
                try forEachRow(of: copies, selected, db) { try update(&result, &$0) }
                return result
            }
        }
    }

    /// Hands over selected rows with the entities that are read beside them.
    private func forEachRow<Row>(
        of copies: KeptRows, _ selected: _Selected<Row>, _ db: Database, _ body: (inout RowReader) throws -> Void
    ) throws {
        let related = try RelatedLists(selected.all.related, of: copies.rows, db, coders)
        try EntityCodec.namingEntity(R.E.self) {
            for (values, inexact) in zip(copies.rows, copies.inexact) {
                var row = RowReader(values: values, names: copies.names, coders: coders, inexact: inexact)
                row.related = related
                try body(&row)
            }
        }
    }
}

/// Rows that are read once it is known what belongs to them.
private struct KeptRows {
    private let columns: Range<Int32>
    private(set) var names: [String] = []
    private(set) var rows: [[StoredValue]] = []
    /// Of each row the columns whose text was not UTF-8.
    private(set) var inexact: [Set<Int32>] = []

    init(_ columnCount: Int) {
        columns = 0..<Int32(columnCount)
    }

    mutating func add(_ row: borrowing RowReader) {
        if rows.isEmpty { names = columns.map { row.name(at: $0) } }
        var inexact: Set<Int32> = []
        rows.append(
            columns.map { column in
                if let value = row.exactValue(at: column) { return value }
                inexact.insert(column)
                return row.storedValue(at: column)
            })
        self.inexact.append(inexact)
    }
}
