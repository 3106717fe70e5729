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

extension Column: SchemaPart {
    /// The one column.
    public var _columns: [(name: String, column: ColumnSchema)] {
        storage.map { [(name, $0.schema(name: name, isId: name == "id"))] } ?? []
    }

    /// What keeps the column from reading back as it was saved.
    public var _problem: String? {
        storage?.isAmbiguous == true ? "'\(name)' is an optional of a type that may be NULL itself" : nil
    }
}

extension Column: LeafPart {
    var leafCoders: [(column: String, coder: LeafCoder)] { LeafCoder.ofProperty(T.self).map { [(name, $0)] } ?? [] }
}

/// A column of JSON. It cannot be compared, except with NULL where it is optional.
public struct JSONColumn<T>: Sendable {
    /// The name of the column, exactly as in the table.
    public let name: String
    let isNullable: Bool

    init(_ name: String, isNullable: Bool) {
        self.name = name
        self.isNullable = isNullable
    }
}

extension JSONColumn: SchemaPart {
    /// The one column.
    public var _columns: [(name: String, column: ColumnSchema)] {
        [(name, ColumnStorage(type: .text, isNullable: isNullable).schema(name: name, isId: name == "id"))]
    }

    /// A single column is never wrong by itself.
    public var _problem: String? { nil }
}

extension JSONColumn: LeafPart {
    var leafCoders: [(column: String, coder: LeafCoder)] { LeafCoder.ofJSON(T.self).map { [(name, $0)] } ?? [] }
}

extension JSONColumn where T: OptionalColumnValue {
    /// The column holds NULL. SQL: `"c" IS NULL`
    public var isNull: Predicate { Predicate(.isNull(column: name)) }

    /// The column holds a value, were it JSON's `null`. SQL: `"c" IS NOT NULL`
    public var isNotNull: Predicate { Predicate(.isNotNull(column: name)) }
}
