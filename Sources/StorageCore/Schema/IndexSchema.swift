/// An index of a table, or a unique key, as the model declares it.
public struct IndexSchema: Sendable, Equatable {
    /// The columns, in the order of the index.
    public let columns: [String]
    /// Whether two rows with the same values are refused. As in SQL, NULL is the same as nothing.
    public let isUnique: Bool
    /// Whether `a` and `A` are the same to it: `COLLATE NOCASE`, which knows the letters of ASCII.
    public let ignoresCase: Bool
    /// The SQL of the condition of the rows in a partial index; nil where all rows are in it.
    public let condition: String?

    /// Creates the description of an index.
    ///
    /// - Parameters:
    ///   - columns: The columns, in the order of the index.
    ///   - isUnique: Whether two rows with the same values are refused.
    ///   - ignoresCase: Whether `a` and `A` are the same to it.
    ///   - condition: The SQL of the condition of the rows that are in it.
    public init(_ columns: [String], isUnique: Bool = false, ignoresCase: Bool = false, condition: String? = nil) {
        self.columns = columns
        self.isUnique = isUnique
        self.ignoresCase = ignoresCase
        self.condition = condition
    }
}
