import StorageSQLite

/// What a call of this module throws, beside `CancellationError` and what your own closures throw.
///
/// Names tables, columns and SQL, and not the values bound to a statement, so that it may be logged. One thing is out of
/// our hands: where a bound text is itself parsed by SQLite (a full-text query after `MATCH`, the path of a JSON function),
/// SQLite's message quotes what it does not understand.
public enum SQLiteError: Error, Sendable, Equatable {
    /// SQLite refused: its extended result code, its message, and the SQL as far as there was any. Of a script it is the
    /// part that begins with the statement at fault, shortened if it is long.
    case sqlite(code: Int32, message: String, sql: String?)
    /// No database could be opened or made at the path.
    case cannotOpen(path: String, code: Int32, message: String)
    /// The database was closed.
    case closed(path: String)

    /// The transaction that the handle belongs to has ended.
    case transactionEnded
    /// SQLite has rolled back the transaction on its own account, for instance because the disk is full.
    case transactionLost
    /// `BEGIN`, `COMMIT`, `SAVEPOINT` and the like inside `withTransaction`. Nest `withTransaction` instead.
    case transactionControl(sql: String)
    /// The SQL began a transaction and did not end it; it was rolled back. Use `withTransaction`.
    case transactionLeftOpen(sql: String)
    /// The calling task is inside a transaction or walk of this database, or was started there, and would wait for itself. In a
    /// transaction use the handle that the closure was given; what is to happen beside a walk has to wait until it has ended.
    case heldByCaller(path: String)

    /// The SQL has to be one statement, and is none or several.
    case notOneStatement(sql: String)
    /// Only a statement that changes nothing can be walked.
    case notReadOnly(sql: String)
    /// The statement has that many parameters, and not as many values were given.
    case bindingCount(expected: Int, given: Int, sql: String)
    /// The value for that parameter, counted from 1, is NaN, which SQLite would store as NULL.
    case notANumber(parameter: Int, sql: String)

    /// A value cannot be stored; the message names table and column.
    case encodingFailed(message: String)
    /// A row cannot be read; the message names table and column. Custom schemas may throw it too.
    case decodingFailed(message: String)
    /// The row has no such column.
    case missingColumn(String, table: String?)
    /// The column holds something else, or a number that the type cannot hold.
    case wrongType(column: String, table: String?, expected: String, found: String)

    /// The encoded row has no value for the primary key.
    case missingPrimaryKey(table: String, column: String)
    /// No row has that primary key.
    case rowNotFound(table: String, column: String)
}

extension SQLiteError {
    /// Runs calls of SQLite, and makes their errors the module's own.
    static func reporting<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as SQLiteFailure {
            if failure.canBeInterruption || failure.kind == .busy, Task.isCancelled { throw CancellationError() }
            throw sqlite(code: failure.code, message: failure.message, sql: failure.sql.map(excerpt))
        }
    }

    /// SQL for an error, without blanks around it and not without end.
    static func excerpt(_ sql: String) -> String {
        String(sql.trimmingCharacters(in: .whitespacesAndNewlines).unicodeScalars.prefix(2000))
    }
}

extension SQLiteError: LocalizedError {
    /// One sentence on what failed.
    public var errorDescription: String? { description }
}

extension SQLiteError: CustomStringConvertible {
    /// The same sentence as ``errorDescription``.
    public var description: String {
        switch self {
        case .sqlite(let code, let message, let sql):
            "SQLite error \(code): \(message)" + (sql.map { " - in: \($0)" } ?? "")
        case .cannotOpen(let path, let code, let message):
            "The database at '\(path)' cannot be opened or created. SQLite error \(code): \(message)"
        case .closed(let path): "The database at '\(path)' is closed."

        case .transactionEnded: "The transaction of this handle has ended."
        case .transactionLost: "SQLite has rolled back the transaction."
        case .transactionControl(let sql):
            "A transaction is ended by its closure, and nested with withTransaction, not by: \(sql)"
        case .transactionLeftOpen(let sql):
            "A transaction was begun and not ended; it was rolled back. Use withTransaction. In: \(sql)"
        case .heldByCaller(let path):
            "The database at '\(path)' is held by a transaction or walk of the calling task, which would wait for itself. "
                + "In a transaction use the handle that the closure was given; what is to happen beside a walk has to wait until it has ended."

        case .notOneStatement(let sql): "One statement is needed, not none or several: \(sql)"
        case .notReadOnly(let sql): "Only a statement that changes nothing can be walked: \(sql)"
        case .bindingCount(let expected, let given, let sql):
            "\(expected) values are needed, and \(given) were given, for: \(sql)"
        case .notANumber(let parameter, let sql): "Value \(parameter) is NaN, which SQLite cannot store, for: \(sql)"

        case .encodingFailed(let message), .decodingFailed(let message): message
        case .missingColumn(let column, let table): "There is no column \(column.at(table))."
        case .wrongType(let column, let table, let expected, let found):
            "Column \(column.at(table)) holds \(found), which is no \(expected)."
        case .missingPrimaryKey(let table, let column): "The row has no value for its primary key \(column.at(table))."
        case .rowNotFound(let table, let column): "No row has that value of the primary key \(column.at(table))."
        }
    }
}

extension String {
    /// A column, as errors name it.
    func at(_ table: String?) -> String {
        "'\(self)'" + (table.map { " of table '\($0)'" } ?? "")
    }
}
