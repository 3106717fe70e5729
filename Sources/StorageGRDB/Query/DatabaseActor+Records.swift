import GRDB

// Entities in and out, by record type. Every error that leaves here is a StorageError.

extension DatabaseActor {
    /// Runs a read of a table.
    package func run<R, Value: Sendable>(_ read: TableRead<Value>, of table: RecordTable<R>) async throws -> Value {
        try await convertingErrors(during: .read, of: table) {
            try await readRows(mayBeBrief: read.mayBeBrief, read.body)
        }
    }

    /// Runs a write of a table, in a transaction of its own.
    package func run<R, Value: Sendable>(_ write: TableWrite<Value>, of table: RecordTable<R>) async throws -> Value {
        try await convertingErrors(during: .write, of: table) {
            try await writeRows(write.run)
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

    /// The same for a table, where that is one that can be asked.
    func convertingErrors<R, T>(
        during operation: StorageOperation, of table: RecordTable<R>, _ body: () async throws -> T
    ) async throws -> T {
        try table.check()
        return try await convertingErrors(during: operation, body)
    }
}

extension Database {
    /// Runs a SELECT of all columns of the table.
    package func entities<R: StorageKitEntityRecord>(
        _ query: LoweredQuery, of table: RecordTable<R>
    ) throws -> [R.E] {
        var entities: [R.E] = []
        try withRows(of: query, coders: table.coders) { row in
            try EntityCodec.namingColumn(of: R.self, &row) { try R._decodeAll(&$0, into: &entities) }
        }
        return entities
    }

    /// Runs a query and hands over each row.
    func forEachRow(_ query: LoweredQuery, coders: JSONCoders, _ body: (inout RowReader) throws -> Void) throws {
        try withRows(of: query, coders: coders) { try $0.forEach(body) }
    }

    /// Runs a query and hands over its first row, if it has any; the body goes through all of them.
    func withRows(
        of query: LoweredQuery, coders: JSONCoders, _ body: (inout RowReader) throws -> Void
    ) throws {
        let statement = try boundStatement(query)
        try explaining(query) { try statement.withRows(coders: coders, body) }
    }

    /// Runs a statement that returns no rows.
    ///
    /// - Throws: `StorageError.queryFailed` for what it cannot calculate, such as an integer that is too great.
    func execute(_ query: LoweredQuery) throws {
        let statement = try boundStatement(query)
        do {
            try explaining(query) { try statement.run() }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw StorageError.queryFailed(sql: query.sql, underlying: error)
        }
    }

    /// The statement of a query with its arguments.
    ///
    /// - Parameter isAlone: Whether nobody else may get the same statement.
    func boundStatement(_ query: LoweredQuery, isAlone: Bool = false) throws -> Statement {
        let sql = try sql(of: query)
        // GRDB keeps each cached statement for ever. SQL that grows with a list would never be asked for again, and of the app's there
        // may be any number of texts.
        let isKept = !isAlone && query.arguments.count <= 32 && query.appText.isEmpty
        let prepare = { [self] in isKept ? try cachedStatement(sql: sql) : try makeStatement(sql: sql) }
        let statement: Statement
        do {
            statement = try prepare()
        } catch let error as DatabaseError {
            guard try lacksFunctions(error) else { throw error }
            addFunctions()
            statement = try prepare()
        }
        try statement.bind(query.arguments)
        return statement
    }
}
