import GRDB
import GRDBSQLite
import StorageSQLite

extension Database {
    /// Upserts each entity, one after the other.
    ///
    /// GRDB prepares its observers before each statement and tidies up after it, which costs as much as the statement
    /// itself. So it is told of one statement, the upsert of the first entity, and the others run while that one waits to
    /// hand over its row: GRDB's observers hear of every row, but are asked only once which rows they want.
    func upsertAll<R: StorageKitEntityRecord>(_ entities: [R.E], into table: RecordTable<R>, now: Date) throws {
        try withLateReferences(of: table, rows: entities.count, now: now) {
            let position = BatchPosition()
            try namingConstraints(ofAny: entities, in: table, now: now, at: { position.current }) {
                try upsertEach(entities, into: table, now: now, at: position)
            }
            return entities
        }
    }

    private func upsertEach<R: StorageKitEntityRecord>(
        _ entities: [R.E], into table: RecordTable<R>, now: Date, at position: BatchPosition
    ) throws {
        guard let first = entities.first else { return }
        guard entities.count > 1 else { return try upsert(first, into: table, now: now) }
        if R.givesIds, entities.contains(where: table.isGivenId) { try table.checkGivesIds(self) }
        let statement = try cachedStatement(sql: table.sql.upsertSQL)
        let carrier = try cachedStatement(sql: table.sql.upsertReturningSQL)
        let batch = BatchCursor(carrier) { try statement.upsertRest(of: entities, into: table, now: now, at: position) }
        try carrier.binding(coders: table.coders) { row in
            try EntityCodec.bind(first, to: &row, of: table, now: now)
            try batch.run()
        }
        guard !batch.didRun else { return }
        // The first row was not written: all its columns are its id, and it was there.
        for entity in entities.dropFirst() {
            position.current += 1
            try upsert(entity, into: table, now: now)
        }
    }
}

/// Which entity of a batch is being written.
private final class BatchPosition {
    var current = 0
}

extension GRDB.Statement {
    /// Upserts all entities but the first.
    fileprivate func upsertRest<R: StorageKitEntityRecord>(
        of entities: [R.E], into table: RecordTable<R>, now: Date, at position: BatchPosition
    ) throws {
        try binding(coders: table.coders) { row in
            for entity in entities.dropFirst() {
                position.current += 1
                try EntityCodec.bind(entity, to: &row, of: table, now: now)
                try stepToEnd()
            }
        }
    }
}

/// Runs a body while a statement waits to hand over its first row.
private final class BatchCursor: DatabaseCursor {
    typealias Element = Void

    var _isDone = false
    let _statement: GRDB.Statement
    private(set) var didRun = false
    private let body: () throws -> Void
    private var rollback: (any Error)?
    private var timeOfBody = Duration.zero

    init(_ statement: GRDB.Statement, _ body: @escaping () throws -> Void) {
        _statement = statement
        self.body = body
    }

    func run() throws {
        defer { _statement.handle.reset() }
        do {
            // SQLite counts the time in which the other rows were written as this statement's, so it is taken off.
            let start = ContinuousClock.now
            try StatementTime.measured(by: { [self] in ContinuousClock.now - start - timeOfBody }) { try forEach {} }
        } catch {
            throw rollback ?? error
        }
        if let rollback { throw rollback }
    }

    func _element(sqliteStatement: SQLiteStatement) throws {
        guard !didRun else { return }
        didRun = true
        let start = ContinuousClock.now
        defer { timeOfBody = ContinuousClock.now - start }
        do {
            try StatementTime.measured(by: nil, body)
        } catch {
            // Where SQLite has rolled the transaction back, GRDB has to end the statement to notice.
            guard sqlite3_get_autocommit(sqlite3_db_handle(sqliteStatement)) == 0 else { return rollback = error }
            throw error
        }
    }
}

extension GRDB.Statement {
    /// Runs a statement that returns no rows, and of which GRDB need not hear.
    fileprivate func stepToEnd() throws {
        let code = handle.stepping()
        if code != SQLITE_DONE { throw error(code) }
        handle.reset()
    }
}
