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
    /// How the column is kept; nil for a reference by name alone.
    let storage: ColumnStorage?

    /// Creates a reference to a column.
    ///
    /// - Parameter name: The name of the column. It is checked against the entity when the query runs.
    public init(_ name: String) {
        self.init(name, nil)
    }

    init(_ name: String, _ storage: ColumnStorage?) {
        self.name = name
        self.storage = storage
    }
}

/// How the values of a column are kept.
struct ColumnStorage: Sendable, Equatable {
    let type: ColumnType
    var isNullable = false

    func schema(name: String, isId: Bool = false) -> ColumnSchema {
        ColumnSchema(name: name, type: type.rawValue, notNull: !isNullable, primaryKey: isId)
    }
}

extension Column: SchemaPart {
    /// The one column.
    public var _columns: [(name: String, column: ColumnSchema)] {
        storage.map { [(name, $0.schema(name: name, isId: name == "id"))] } ?? []
    }

    /// A single column is never wrong by itself.
    public var _problem: String? { nil }
}
