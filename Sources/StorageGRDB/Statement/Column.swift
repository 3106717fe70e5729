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

extension Column where T: ColumnValue {
    /// The description of the column for auto-schema.
    public var _schema: ColumnSchema {
        ColumnSchema(
            name: name, type: T.columnType.rawValue, notNull: !T.isNullable, primaryKey: name == "id")
    }
}

/// A column whose type is only known at run time.
public protocol AnyColumn: Sendable {
    /// The name of the column.
    var name: String { get }
    /// The description of the column for auto-schema.
    var _schema: ColumnSchema { get }
}

extension Column: AnyColumn where T: ColumnValue {}

/// The column of a stored property.
public func _column<E, T: ColumnValue>(_ name: String, _ property: KeyPath<E, T>) -> Column<T> {
    Column(name)
}

/// The column list of a generated record.
public func _schema(_ columns: [any AnyColumn], addingUpdatedAt: Bool) -> [ColumnSchema] {
    let updatedAt = addingUpdatedAt ? [Column<Date>("updatedAt")._schema] : []
    return columns.map(\._schema) + updatedAt
}

/// The columns of an entity inside a `where` closure: `$0.age` is a `Column<Int>`.
@dynamicMemberLookup
public struct ColumnRef<E: RegisteredEntity>: Sendable {
    package init() {}

    /// The column of a stored property. A misspelt name does not compile.
    public subscript<T>(dynamicMember column: KeyPath<E.StorageColumns, Column<T>>) -> Column<T> {
        E.storageColumns[keyPath: column]
    }
}
