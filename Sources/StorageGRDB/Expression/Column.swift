/// An expression with a value of type T: a column, what is calculated from columns, a condition.
///
/// ```swift
/// let age = Column<Int>("age")
/// storage.query(User.self).where { _ in age >= 18 }
/// // SELECT ... FROM "users" WHERE "age" >= 18
/// ```
///
/// Inside `where` the same column is `$0.age`.
@dynamicMemberLookup
public struct Column<T>: Sendable {
    package let node: ExpressionNode

    package init(_ node: ExpressionNode) {
        self.node = node
    }

    /// Never there: it gives the compiler words for a member that values have and columns have not.
    @available(
        *, unavailable,
        message: "a column has no such member: SQL compares values, and Swift's members are for rows that are fetched"
    )
    public subscript(dynamicMember name: NoColumnOfThisNameAndType) -> Predicate { Predicate(.never) }

    /// Creates a reference to a column of the innermost query's rows. An extension of ``ColumnRef`` takes columns from
    /// `self`, which says whose they are.
    ///
    /// - Parameter name: The name of the column. It is checked against the entity when the query runs.
    public init(_ name: String) {
        node = .column(name, of: nil)
    }

    /// The name of the column, exactly as in the table; empty for an expression that is no column.
    public var columnName: String { node.columnName ?? "" }

    /// The same. In a closure it is easily taken for something else: `$0.genre.name` is the text "genre", and no name that the genre has.
    @available(
        *, deprecated, renamed: "columnName", message: "it is the name of the column, and no 'name' of its values"
    )
    public var name: String { columnName }
}

/// A condition on the rows of a query, built with operators on columns.
///
/// ```swift
/// storage.query(User.self).where { $0.age >= 18 && $0.email.hasSuffix("@example.com") }
/// ```
///
/// Values travel as statement arguments; none ever becomes part of the SQL text.
public typealias Predicate = Column<Bool>

// MARK: - Sources

/// What an entity's columns consist of: a value that can be told whose columns it means. Conformed to by StorageKit's types.
public protocol ColumnRefMember: Sendable {
    /// The same columns, of the rows that a reference stands for.
    func _rooted(at place: ColumnPlace) -> Self
}

/// The rows that a ``ColumnRef`` stands for.
public struct ColumnPlace: Sendable {
    package let source: Source

    package init(_ source: Source) {
        self.source = source
    }
}

extension Column: ColumnRefMember {
    /// The same column, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> Column<T> { Column(node.rooted(at: place.source)) }
}

extension DefaultStringInterpolation {
    /// A warning in place of a text that no row has: `"\($0.name)"` is put together before the query runs.
    @available(*, deprecated, message: "a column has no text before the query runs: put texts together with '+'")
    public mutating func appendInterpolation<T>(_ column: Column<T>) {
        appendInterpolation(column as Any)
    }
}
