/// A table as the model declares it: its columns in order, with the indexes, unique keys and references over them.
public struct TableSchema: Sendable, Equatable {
    /// The name of the table.
    public let name: String
    /// The columns, in the order of the table.
    public let columns: [ColumnSchema]
    /// The indexes and unique keys, but for the primary one.
    public let indexes: [IndexSchema]
    /// The columns that refer to other tables.
    public let references: [ReferenceSchema]
    /// The names that the table had in earlier versions of the model.
    public let formerNames: [String]
    /// The names that columns had in earlier versions of the model, latest last, by the name that they have now.
    public let formerColumnNames: [String: [String]]
    /// Whether SQLite gives the ids: the key is `INTEGER PRIMARY KEY AUTOINCREMENT`.
    public let givesIds: Bool

    /// Creates the description of a table.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - columns: The columns, in order.
    ///   - indexes: The indexes and unique keys, but for the primary one.
    ///   - references: The columns that refer to other tables.
    ///   - formerNames: The names that the table had in earlier versions of the model.
    ///   - formerColumnNames: The names that columns had in earlier versions of the model, by the name that they have now.
    ///   - givesIds: Whether SQLite gives the ids.
    public init(
        name: String, columns: [ColumnSchema], indexes: [IndexSchema] = [], references: [ReferenceSchema] = [],
        formerNames: [String] = [], formerColumnNames: [String: [String]] = [:], givesIds: Bool = false
    ) {
        self.name = name
        self.columns = columns
        self.indexes = indexes
        self.references = references
        self.formerNames = formerNames
        self.formerColumnNames = formerColumnNames
        self.givesIds = givesIds
    }

    /// The same of a table with columns alone, as a function value.
    @_disfavoredOverload
    public init(name: String, columns: [ColumnSchema]) {
        self.init(name: name, columns: columns, indexes: [])
    }

    /// The column of that name, compared exactly, or nil.
    ///
    /// - Parameter named: The name to look for.
    public func column(named: String) -> ColumnSchema? {
        columns.first { $0.name == named }
    }
}
