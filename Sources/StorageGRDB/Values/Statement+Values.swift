import GRDB
import GRDBSQLite

// Values in and out of a statement by position, past GRDB's own argument and row types.

extension Statement {
    /// Tells GRDB that it need not check the arguments before `execute()`: they are bound by position, past its
    /// own argument types.
    func preparedForBinding() -> Statement {
        // GRDB resets it as well, and traps if it failed before.
        sqlite3_reset(sqliteStatement)
        setUncheckedArguments(StatementArguments())
        return self
    }

    /// The first row of a SELECT, stepped to past GRDB: there is nothing in it to observe or to interrupt.
    func firstRow<T>(_ read: (inout RowReader) throws -> T) throws -> T? {
        sqlite3_reset(sqliteStatement)
        defer { sqlite3_reset(sqliteStatement) }
        switch sqlite3_step(sqliteStatement) {
        case SQLITE_ROW:
            var row = RowReader(statement: sqliteStatement, coders: .standard)
            return try read(&row)
        case SQLITE_DONE: return nil
        case let code: throw steppingError(code)
        }
    }

    /// What SQLite says of a step that failed.
    func steppingError(_ code: Int32) -> DatabaseError {
        let message = sqlite3_errmsg(sqlite3_db_handle(sqliteStatement)).map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }

    func bind(_ values: [StoredValue]) throws {
        try preparedForBinding().bindPrepared(values)
    }

    /// Binds the arguments of a statement that was prepared for it before, and is not running.
    func bindPrepared(_ values: [StoredValue]) throws {
        var writer = RowWriter(statement: sqliteStatement, coders: .standard)
        for value in values {
            writer.append(value)
        }
        try writer.checkBindings()
    }
}

extension Database {
    /// Runs a statement that stays prepared and reads its first row.
    func firstRow<T>(
        _ sql: String, _ arguments: [StoredValue], _ read: (inout RowReader) throws -> T
    ) throws -> T? {
        let statement = try cachedStatement(sql: sql)
        if !arguments.isEmpty { try statement.bind(arguments) }
        return try statement.firstRow(read)
    }
}
