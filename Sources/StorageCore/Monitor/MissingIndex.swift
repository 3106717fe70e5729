/// An index that a statement could have used, and that the table does not have: SQLite reads all rows of the table instead.
public struct MissingIndex: Sendable, Equatable {
    /// The SQL, with `?` for bound values.
    public var sql: String
    /// The table.
    public var table: String
    /// The column that the statement looks rows up by.
    public var column: String

    /// What to write at the entity of the table: the next start makes the index.
    public var declaration: String { "@StorageEntity(indexes: [[\"\(column)\"]])" }

    /// Creates a note of an index.
    ///
    /// - Parameters:
    ///   - sql: The SQL, with `?` for bound values.
    ///   - table: The table.
    ///   - column: The column that the statement looks rows up by.
    public init(sql: String, table: String, column: String) {
        self.sql = sql
        self.table = table
        self.column = column
    }
}

extension MissingIndex: CustomStringConvertible {
    /// One line: the table, the column, what to declare, and the SQL.
    public var description: String {
        "all rows of '\(table)' are read, since no index begins with '\(column)': \(declaration) would serve \(sql)"
            .onOneLine
    }
}
