/// A table and its columns, in order.
public struct TableSchema: Sendable, Equatable {
    /// The name of the table.
    public let name: String
    /// The columns, in the order of the table.
    public let columns: [ColumnSchema]

    /// Creates the description of a table.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - columns: The columns, in order.
    public init(name: String, columns: [ColumnSchema]) {
        self.name = name
        self.columns = columns
    }

    /// The column of that name, compared exactly, or nil.
    ///
    /// - Parameter named: The name to look for.
    public func column(named: String) -> ColumnSchema? {
        columns.first { $0.name == named }
    }
}
