/// A column by name and Swift type, the left side of a predicate.
///
/// ```swift
/// let age = Column<Int>("age")
/// storage.query(User.self).where { _ in age >= 18 }
/// // SELECT ... FROM "users" WHERE "age" >= 18
/// ```
///
/// Inside `where` the same column is `$0.age`.
public struct Column<T>: Sendable {
    /// The name of the column, exactly as in the table.
    public let name: String

    /// Creates a reference to a column.
    ///
    /// - Parameter name: The name of the column. It is checked against the entity when the query runs.
    public init(_ name: String) {
        self.name = name
    }
}

/// A column of JSON. It cannot be compared, except with NULL where it is optional.
public struct JSONColumn<T>: Sendable {
    /// The name of the column, exactly as in the table.
    public let name: String

    /// Creates a reference to a column.
    ///
    /// - Parameter name: The name of the column. It is checked against the entity when the query runs.
    public init(_ name: String) {
        self.name = name
    }
}

extension JSONColumn where T: OptionalColumnValue {
    /// The column holds NULL. SQL: `"c" IS NULL`
    public var isNull: Predicate { Predicate(.isNull(column: name)) }

    /// The column holds a value, were it JSON's `null`. SQL: `"c" IS NOT NULL`
    public var isNotNull: Predicate { Predicate(.isNotNull(column: name)) }
}
