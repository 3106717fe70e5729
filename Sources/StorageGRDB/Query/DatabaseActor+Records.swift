import GRDB

// Entities in and out, by record type. Every error that leaves here is a StorageError.

extension DatabaseActor {
    /// The entity with that id, or nil.
    package func fetchOne<R: StorageKitEntityRecord>(_ table: RecordTable<R>, id: StoredValue) async throws -> R.E? {
        var found: R.E?
        if readRowAtOnce(table, id: id, { found = try R._decode(&$0) }) { return found }
        return try await converting(.read, table) {
            try await readRows { db in try db.entity(table, id: id) }
        }
    }

    /// The entities that the plan asks for, in its order.
    package func fetchAll<R: StorageKitEntityRecord>(
        _ table: RecordTable<R>, _ plan: QueryPlan
    ) async throws -> [R.E] {
        let query = try plan.selectSQL(table)
        return try await converting(.read, table) {
            try await read(query) { db in
                guard let order = plan.idOrder(table) else { return try db.entities(query, of: table) }
                return try db.inOneState {
                    guard try db.comparesBytes(table.idColumn, of: table.name) else {
                        return try db.entities(query, of: table)
                    }
                    return try db.entities(plan.unordered().selectSQL(table), of: table, sortedById: order)
                }
            }
        }
    }

    /// How many rows the plan asks for.
    package func count<R: StorageKitEntityRecord>(_ table: RecordTable<R>, _ plan: QueryPlan) async throws -> Int {
        let query = try plan.countSQL(table)
        return try await converting(.read, table) {
            try await read(query) { db in try db.count(query, of: table) }
        }
    }

    /// Whether the plan asks for any row.
    package func exists<R: StorageKitEntityRecord>(_ table: RecordTable<R>, _ plan: QueryPlan) async throws -> Bool {
        let query = try plan.existsSQL(table)
        return try await converting(.read, table) {
            try await read(query) { db in
                try db.values(query, coders: table.coders) { try $0.next() as Bool }.first ?? false
            }
        }
    }

    /// The values of one column, in the order of the plan.
    ///
    /// - Parameter read: Reads the value from the row's one column.
    package func values<R: StorageKitEntityRecord, Value: Sendable>(
        _ table: RecordTable<R>, _ query: LoweredQuery, reading: @escaping @Sendable (inout RowReader) throws -> Value
    ) async throws -> [Value] {
        try await reduce(table, query, into: []) { $0.append(try reading(&$1)) }
    }

    /// What comes of putting the values of one column together one by one, of which only one is in memory.
    package func reduce<R: StorageKitEntityRecord, Result: Sendable>(
        _ table: RecordTable<R>, _ query: LoweredQuery, into initial: Result,
        _ update: @escaping @Sendable (inout Result, inout RowReader) throws -> Void
    ) async throws -> Result {
        try await converting(.read, table) {
            try await read(query) { db in
                var result = initial
                try EntityCodec.namingEntity(R.E.self) {
                    try db.forEachRow(query, coders: table.coders) { try update(&result, &$0) }
                }
                return result
            }
        }
    }

    /// Upserts all entities in one transaction; a later one with the same id wins.
    package func upsertAll<R: StorageKitEntityRecord>(
        _ table: RecordTable<R>, _ entities: [R.E], now: Date
    ) async throws {
        guard !entities.isEmpty else { return }
        try await converting(.write, table) {
            try await writeRows { db in try db.upsertAll(entities, into: table, now: now) }
        }
    }

    /// Deletes the row with that id, if there is one.
    package func delete<R: StorageKitEntityRecord>(_ table: RecordTable<R>, id: StoredValue) async throws {
        try await converting(.write, table) {
            try await writeBriefly(.init { db in try db.run(table.sql.deleteByIdSQL, table.sql.idArguments(id)) })
        }
    }

    /// Deletes the rows that the plan asks for.
    ///
    /// - Returns: How many they were.
    package func deleteAll<R: StorageKitEntityRecord>(_ table: RecordTable<R>, _ plan: QueryPlan) async throws -> Int {
        let query = try plan.deleteSQL(table)
        return try await converting(.write, table) {
            try await writeRows { db in
                try db.execute(query)
                return db.changesCount
            }
        }
    }

    /// Sets columns of the rows that the plan asks for.
    ///
    /// - Returns: How many they were.
    package func updateAll<R: StorageKitEntityRecord>(
        _ table: RecordTable<R>, _ plan: QueryPlan, set assignments: [ColumnAssignment], now: Date
    ) async throws -> Int {
        guard !assignments.isEmpty else { return try await count(table, plan) }
        let query = try plan.updateSQL(table, assignments, stamp: now.storedValue())
        return try await converting(.write, table) {
            try await writeRows { db in
                try db.execute(query)
                return db.changesCount
            }
        }
    }

    /// Reads the row with an id on the calling thread.
    ///
    /// What is read goes through the closure, and not through results, so that all below it is the same for all types: generic
    /// code that does not know its types spends more time on them than on the row.
    ///
    /// - Parameter read: Reads the row, if there is one.
    /// - Returns: Whether there was a row or none. If not, no connection is free, or something went wrong: whoever reads the
    ///   usual way then gets the row or the error.
    func readRowAtOnce<R>(_ table: RecordTable<R>, id: StoredValue, _ read: (inout RowReader) throws -> Void) -> Bool {
        table.sql.findsByOneId && readRowAtOnce(table.sql.selectByIdSQL, [id], table.coders, read)
    }

    /// The same for the first row of any short SELECT.
    func readRowAtOnce(
        _ sql: String, _ arguments: [StoredValue], _ coders: JSONCoders, _ read: (inout RowReader) throws -> Void
    ) -> Bool {
        let isRead: Bool? = try? readBriefly { db in
            try db.firstRow(sql, arguments, coders: coders, read)
            return true
        }
        return isRead == true
    }

    /// Runs a query. FTS5 may search for long without a step of SQLite's machine, so that nothing would stop it.
    func read<T: Sendable>(
        _ query: LoweredQuery, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await readRows(mayBeBrief: query.searches.isEmpty, body)
    }

    func converting<R, T>(
        _ operation: StorageOperation, _ table: RecordTable<R>, _ body: () async throws -> T
    ) async throws -> T {
        try table.check()
        return try await passingErrors(during: operation, body)
    }
}

extension Database {
    /// Runs a SELECT of all columns of the table.
    package func entities<R: StorageKitEntityRecord>(
        _ query: LoweredQuery, of table: RecordTable<R>
    ) throws -> [R.E] {
        var entities: [R.E] = []
        try withRows(of: query, coders: table.coders) { try EntityCodec.decodeAll(R.self, &$0, into: &entities) }
        return entities
    }
}

extension Database {
    /// Runs a SELECT of a count.
    func count<R>(_ query: LoweredQuery, of table: RecordTable<R>) throws -> Int {
        // Not with GRDB's arguments, which end at a text's first NUL.
        try values(query, coders: table.coders) { try $0.next() as Int }.first ?? 0
    }

    /// Runs a query and hands over each row.
    func forEachRow(_ query: LoweredQuery, coders: JSONCoders, _ body: (inout RowReader) throws -> Void) throws {
        try withRows(of: query, coders: coders) { try $0.forEach(body) }
    }

    /// Runs a query and hands over its first row, if it has any; the body goes through all of them.
    private func withRows(
        of query: LoweredQuery, coders: JSONCoders, _ body: (inout RowReader) throws -> Void
    ) throws {
        let statement = try boundStatement(query)
        try explainingSearch(of: query) { try statement.withRows(coders: coders, body) }
    }

    /// Runs a query and reads a value from each row.
    func values<Value>(
        _ query: LoweredQuery, coders: JSONCoders, _ read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try forEachRow(query, coders: coders) { values.append(try read(&$0)) }
        return values
    }

    /// Runs a statement that returns no rows.
    fileprivate func execute(_ query: LoweredQuery) throws {
        let statement = try boundStatement(query)
        try explainingSearch(of: query) { try statement.execute() }
    }

    private func boundStatement(_ query: LoweredQuery) throws -> Statement {
        try provide(query.needs)
        let sql = try searchClause(query.searches) + query.sql
        // GRDB keeps each cached statement for ever; SQL that grows with a list would never be asked for again.
        let statement = query.arguments.count > 32 ? try makeStatement(sql: sql) : try cachedStatement(sql: sql)
        try statement.bind(query.arguments)
        return statement
    }
}
