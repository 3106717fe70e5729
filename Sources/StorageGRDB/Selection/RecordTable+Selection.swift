extension RecordTable {
    /// What a plan selects of each row, or of each group.
    package func selected<Row: Sendable>(_ plan: QueryPlan, _ selected: _Selected<Row>) throws -> TableRead<[Row]> {
        let query = try plan.selectionSQL()
        return TableRead(query) { db in
            var rows: [Row] = []
            try EntityCodec.namingEntity(R.E.self) {
                try db.withRows(of: query, coders: coders) { try selected.readAll(&$0, &rows) }
            }
            return rows
        }
    }

    /// The same of the first rows, behind a cursor.
    package func stretch<Row: Sendable>(
        _ plan: QueryPlan, _ selected: _Selected<Row>, after cursor: PageCursor?, limit: Int
    ) throws -> TableRead<Stretch<Row>> {
        var plan = try plan.totallyOrdered()
        if let cursor { plan = try plan.after(cursor) }
        plan.limit = limit < 0 || limit == .max ? limit : limit + 1
        let query = try plan.selectionSQL(alsoSelecting: plan.order.map(\.expression))
        let (first, count) = (Int32(selected.nodes.count), Int32(plan.order.count))
        let none = (items: [Row](), last: [StoredValue](), hasMore: false)
        return reduce(query, into: { none }) { stretch, row in
            if stretch.items.count == limit {
                stretch.hasMore = true
                return
            }
            stretch.items.append(try selected.read(&row))
            stretch.last = (first..<first + count).map { row.storedValue(at: $0) }
        }.map { [plan] stretch in
            let next = stretch.hasMore ? PageCursor(order: try plan.orderName(), values: stretch.last) : nil
            return Stretch(items: stretch.items, next: next)
        }
    }
}
