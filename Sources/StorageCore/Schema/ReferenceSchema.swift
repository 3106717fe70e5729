/// A column whose values are ids of another table's rows: `REFERENCES "lists"("id") ON DELETE CASCADE`.
public struct ReferenceSchema: Sendable, Equatable {
    /// The column that refers.
    public let column: String
    /// The table that it refers to.
    public let table: String
    /// The key of that table.
    public let key: String
    /// What becomes of the row when the one that it refers to is deleted.
    public let onDelete: ReferenceAction
    /// What becomes of the row when the key of the one that it refers to changes.
    public let onUpdate: ReferenceAction

    /// Creates the description of a reference.
    ///
    /// - Parameters:
    ///   - column: The column that refers.
    ///   - table: The table that it refers to.
    ///   - key: The key of that table.
    ///   - onDelete: What becomes of the row when the one that it refers to is deleted.
    ///   - onUpdate: What becomes of the row when the key of the one that it refers to changes.
    public init(
        column: String, table: String, key: String = "id",
        onDelete: ReferenceAction = .noAction, onUpdate: ReferenceAction = .noAction
    ) {
        self.column = column
        self.table = table
        self.key = key
        self.onDelete = onDelete
        self.onUpdate = onUpdate
    }
}

/// What becomes of a row when the one that it refers to goes or gets another key.
public enum ReferenceAction: String, Sendable {
    /// Nothing, so that the change is refused while somebody refers to the row.
    case noAction = "NO ACTION"
    /// The same, refused at once.
    case restrict = "RESTRICT"
    /// The column becomes NULL.
    case setNull = "SET NULL"
    /// The column gets its default.
    case setDefault = "SET DEFAULT"
    /// The row goes too, or follows the new key.
    case cascade = "CASCADE"
}
