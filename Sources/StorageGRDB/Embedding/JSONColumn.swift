/// A column of JSON, or a value inside one: a path to what can be asked about, and no expression itself.
///
/// ```swift
/// storage.query(Reminder.self).where { $0.place.city == "Kyiv" && $0.links.count > 0 }
/// // WHERE (json_extract("place", '$."city"') = ?) AND (json_array_length("links") > ?)
/// ```
///
/// Each stored property of the value is a column, checked by the compiler, with the key that the store's encoder writes. What
/// is missing is nil.
@dynamicMemberLookup
public struct JSONColumn<T>: Sendable {
    /// The column.
    let column: ExpressionNode
    /// The way from the column's value to this one; nil for the column itself.
    let way: JSONWay?

    /// Creates a reference to a column.
    ///
    /// - Parameter name: The name of the column. It is checked against the entity when the query runs.
    public init(_ name: String) {
        self.init(.column(name, of: nil))
    }

    init(_ column: ExpressionNode, _ way: JSONWay? = nil) {
        self.column = column
        self.way = way
    }
}

extension JSONColumn: ColumnRefMember {
    /// The same column, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> JSONColumn<T> { JSONColumn(column.rooted(at: place.source), way) }
}

extension JSONColumn {
    /// The JSON: the text of the column, or of what is in it.
    var node: ExpressionNode {
        guard let way else { return column }
        return .json(column, way.path(.value, type: .text, reading: { _, _ in .text }))
    }
}

extension JSONColumn where T: OptionalColumnValue {
    /// The column holds NULL; a value inside is missing, or JSON's `null`. SQL: `"c" IS NULL`
    public var isNull: Predicate { Predicate(.isNull(node)) }

    /// The column holds a value, were it JSON's `null`; a value inside is there. SQL: `"c" IS NOT NULL`
    public var isNotNull: Predicate { Predicate(.isNotNull(node)) }
}

/// The column holds NULL; a value inside is missing, or JSON's `null`. SQL: `"c" IS NULL`
public func == <T: OptionalColumnValue>(lhs: JSONColumn<T>, rhs: _OptionalNilComparisonType) -> Predicate { lhs.isNull }

/// The column holds a value, were it JSON's `null`; a value inside is there. SQL: `"c" IS NOT NULL`
public func != <T: OptionalColumnValue>(lhs: JSONColumn<T>, rhs: _OptionalNilComparisonType) -> Predicate {
    lhs.isNotNull
}

/// Never there: it gives the compiler words for a comparison that JSON has not.
@available(*, unavailable, message: "a column of JSON is not comparable as a whole")
public func == <T>(lhs: JSONColumn<T>, rhs: T) -> Predicate { Predicate(.never) }

/// Never there: it gives the compiler words for a comparison that JSON has not.
@available(*, unavailable, message: "a column of JSON is not comparable as a whole")
public func != <T>(lhs: JSONColumn<T>, rhs: T) -> Predicate { Predicate(.never) }
