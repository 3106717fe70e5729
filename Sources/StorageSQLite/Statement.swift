import GRDBSQLite

/// A prepared statement of a ``Connection``.
public final class Statement {
    /// Its parameters and its row.
    public let handle: StatementHandle

    init(_ pointer: OpaquePointer) {
        handle = StatementHandle(pointer)
    }

    deinit {
        sqlite3_finalize(handle.pointer)
    }

    /// Binds all parameters, and makes the statement ready to run.
    ///
    /// - Throws: ``SQLiteFailure`` for a value that SQLite does not take.
    public func bind(_ values: some Sequence<SQLiteValue>) throws(SQLiteFailure) {
        handle.reset()
        var index: Int32 = 0
        for value in values {
            index += 1
            let code = handle.bind(value, at: index)
            guard code == SQLITE_OK else { throw handle.failure(code) }
        }
    }
}
