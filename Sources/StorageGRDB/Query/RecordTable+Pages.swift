/// A stretch of the rows that a plan asks for, and where the next one begins.
package struct Stretch<E: Sendable>: Sendable {
    package let items: [E]
    /// Nil if there are no rows behind it.
    package let next: PageCursor?
}

extension RecordTable {
    /// The first rows that a plan asks for, behind a cursor.
    package func stretch(_ plan: QueryPlan, after cursor: PageCursor?, limit: Int) throws -> TableRead<Stretch<R.E>> {
        var plan = try plan.totallyOrdered()
        if let cursor { plan = try plan.after(cursor) }
        // One row more tells whether others follow. A negative limit is left as it is, and refused.
        plan.limit = limit < 0 || limit == .max ? limit : limit + 1
        let query = try plan.selectSQL(alsoSelecting: plan.order.map(\.expression))
        return TableRead(query) { [self, plan] db in
            var items: [R.E] = []
            var hasMore = false
            var last: [StoredValue] = []
            try db.forEachRow(query, coders: coders) { row in
                if items.count == limit {
                    hasMore = true
                    return
                }
                items.append(try EntityCodec.decode(R.self, &row))
                // What the row itself holds: a date may stand there in another form than it would be saved in.
                let first = Int32(columns.count)
                last = (0..<Int32(plan.order.count)).map { row.storedValue(at: first + $0) }
            }
            return Stretch(items: items, next: hasMore ? PageCursor(order: try plan.orderName(), values: last) : nil)
        }
    }
}
