/// One row of a result: values under the names of their columns.
///
/// ```swift
/// let rows = try await database.rows("SELECT COUNT(*) AS total FROM users")
/// rows.first?.value("total")      // .integer(2)
/// ```
public struct Row: Sendable {
    private let names: ColumnNames
    /// The values, in the order of ``columns``.
    public let values: [SQLiteValue]

    /// The names of the columns, as the statement gives them. Names may repeat where tables are joined.
    public var columns: [String] { names.names }

    /// Makes a row by hand, for instance to test a schema's `decode`.
    ///
    /// - Parameter values: Values under their columns' names; the columns stand in alphabetical order.
    public init(_ values: [String: SQLiteValue]) {
        let sorted = values.sorted { $0.key < $1.key }
        self.init(names: ColumnNames(sorted.map(\.key)), values: sorted.map(\.value))
    }

    init(names: ColumnNames, values: [SQLiteValue]) {
        self.names = names
        self.values = values
    }

    /// The value of a column.
    ///
    /// - Parameter column: The name of the column. As in SQL, the case of A to Z does not matter; a column in exactly
    ///   this spelling comes first, and the first of several of one name.
    /// - Returns: The value, `.null` for NULL, nil if the row has no such column.
    public func value(_ column: String) -> SQLiteValue? {
        names.place(of: column).map { values[$0] }
    }
}

extension Row: Hashable {
    /// Whether columns and values are the same, in the same order.
    public static func == (left: Row, right: Row) -> Bool {
        left.columns.map(SQLiteValue.text) == right.columns.map(SQLiteValue.text) && left.values == right.values
    }

    /// Hashes columns and values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns.map(SQLiteValue.text))
        hasher.combine(values)
    }
}
