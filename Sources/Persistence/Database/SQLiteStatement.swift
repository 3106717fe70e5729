/// One statement that is known to compile, with the values of its parameters.
///
/// It is a value: ``bind(_:)`` returns another. What SQLite compiled is kept by the database and used again.
public struct SQLiteStatement: Sendable {
    /// The database or transaction that the statement runs on.
    public let database: SQLiteDatabase
    /// The text of the statement.
    public let sql: String
    /// How many values the statement needs.
    public let parameterCount: Int
    /// The names of the columns of its rows; none if it returns no rows, or is a `PRAGMA`.
    public let columns: [String]
    /// The values that are bound; none at first.
    public private(set) var values: [SQLiteValue] = []

    /// The statement with values for all its parameters.
    ///
    /// - Parameter values: The values, in the order of the parameters.
    /// - Throws: ``SQLiteError/bindingCount(expected:given:sql:)`` if they are too few or too many.
    public func bind(_ values: [SQLiteValue]) throws -> SQLiteStatement {
        guard values.count == parameterCount else {
            throw SQLiteError.bindingCount(expected: parameterCount, given: values.count, sql: sql)
        }
        var bound = self
        bound.values = values
        return bound
    }

    /// Runs the statement. See ``SQLiteDatabase/execute(_:_:)``.
    ///
    /// - Returns: How many rows it inserted, updated or deleted.
    /// - Throws: ``SQLiteError``, for instance if values are needed and none were bound; `CancellationError`.
    @discardableResult
    public func execute() async throws -> Int {
        try await database.execute(sql, values)
    }

    /// Runs the statement and returns all its rows. See ``SQLiteDatabase/rows(_:_:)``.
    ///
    /// - Throws: ``SQLiteError``, for instance if values are needed and none were bound; `CancellationError`.
    public func rows() async throws -> [Row] {
        try await database.rows(sql, values)
    }
}
