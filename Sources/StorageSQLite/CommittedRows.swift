/// The rows that a commit changed, with their values before and after.
public struct CommittedRows: Sendable, Equatable {
    /// A row as it was and as it is.
    public struct Row: Sendable, Equatable {
        /// Its values before the change; nil for a row that is new.
        public var before: [SQLiteValue]?
        /// Its values after the change; nil for a row that is gone.
        public var after: [SQLiteValue]?

        /// Creates a changed row.
        ///
        /// - Parameters:
        ///   - before: Its values before the change; nil for a row that is new.
        ///   - after: Its values after the change; nil for a row that is gone.
        public init(before: [SQLiteValue]?, after: [SQLiteValue]?) {
            self.before = before
            self.after = after
        }
    }

    /// The changed rows of one table.
    public struct Table: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// The names of the columns, in the order of the values: those in front of the first that is calculated and not stored.
        public var columns: [String]
        /// The rows that are told, in the order in which they were changed. One that was changed twice stands here twice.
        public var rows: [Row]
        /// How often a row was changed, be it told or not.
        public var count: Int

        /// Creates the changes of a table.
        ///
        /// - Parameters:
        ///   - name: Its name.
        ///   - columns: The names of the columns, in the order of the values.
        ///   - rows: The rows that are told.
        ///   - count: How often a row was changed.
        public init(name: String, columns: [String], rows: [Row], count: Int) {
            self.name = name
            self.columns = columns
            self.rows = rows
            self.count = count
        }
    }

    /// The tables, in the order in which they were first changed.
    public var tables: [Table]

    /// Creates the changes of a commit.
    ///
    /// - Parameter tables: The tables.
    public init(tables: [Table]) {
        self.tables = tables
    }
}

extension CommittedRows: CustomStringConvertible {
    /// One line with the numbers of rows, and none of their values.
    public var description: String {
        tables.map { "\($0.count) \($0.count == 1 ? "row" : "rows") of \($0.name)" }.joined(separator: ", ")
    }
}
