import GRDB

/// A stretch of the rows that a plan asks for, and where the next one begins.
package struct Stretch<E: Sendable>: Sendable {
    package let items: [E]
    /// Nil if there are no rows behind it.
    package let next: PageCursor?
}

extension DatabaseActor {
    /// The first rows that the plan asks for, behind a cursor.
    package func stretch<R: StorageKitEntityRecord>(
        _ table: RecordTable<R>, _ plan: QueryPlan, after cursor: PageCursor?, limit: Int,
        in reader: (any DatabaseReader)? = nil
    ) async throws -> Stretch<R.E> {
        var plan = plan.totallyOrdered(table)
        if let cursor { plan = try plan.after(cursor, in: table) }
        // One row more tells whether others follow. A negative limit is left as it is, and refused.
        plan.limit = limit < 0 || limit == .max ? limit : limit + 1
        let query = try plan.selectSQL(table)
        let read: @Sendable (Database) throws -> Stretch<R.E> = { [plan] db in
            var items = try db.entities(query, of: table)
            guard items.count > limit else { return Stretch(items: items, next: nil) }
            items.removeLast()
            let next = try items.last.map { try db.cursor(at: $0, plan, table) }
            return Stretch(items: items, next: next)
        }
        return try await converting(.read, table) {
            if let reader { try await reader.read(read) } else { try await self.read(read) }
        }
    }

    /// The state of the database as it is now, for reads that go on for long; the database itself where it has one
    /// connection only.
    package func snapshot() async throws -> any DatabaseReader {
        guard let pool = writer as? DatabasePool else { return writer }
        do {
            return try pool.makeSnapshot()
        } catch {
            throw StorageError.from(error, during: .read)
        }
    }
}

extension Database {
    /// The cursor behind a row, with what the row itself holds: a date may stand there in another form than the
    /// entity would be saved with.
    fileprivate func cursor<R: StorageKitEntityRecord>(
        at entity: R.E, _ plan: QueryPlan, _ table: RecordTable<R>
    ) throws -> PageCursor {
        guard let id = table.storedId(entity.id) else {
            throw StorageError.queryFailed(
                sql: nil, underlying: InvalidQuery(reason: "an id of '\(table.name)' cannot be stored"))
        }
        let columns = plan.order.map(\.column.quotedIdentifier).joined(separator: ", ")
        let query = LoweredQuery(
            sql: "SELECT \(columns) FROM \(table.name.quotedIdentifier) WHERE \(table.sql.hasIdSQL)",
            arguments: table.sql.idArguments(id))
        let values = try values(query, coders: table.coders) { row in
            (0..<Int32(plan.order.count)).map { row.storedValue(at: $0) }
        }
        return PageCursor(order: plan.orderName(table), values: values.first ?? [])
    }
}
