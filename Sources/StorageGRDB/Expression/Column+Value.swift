// Values beside columns. The compiler chooses by the value's type, by the same rule as for reading and writing it: see
// `Storing.swift`.

extension ExpressionNode {
    /// A value; where SQLite has no form for it, the query throws when it runs.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - node: What it stands beside, which is then named.
    static func value<T: ColumnValue>(_ value: T, beside node: ExpressionNode? = nil) -> ExpressionNode {
        constant(T.columnType, beside: node) { try value.storedValue() }
    }

    /// A raw value.
    static func value<T: RawRepresentable>(raw value: T?, beside node: ExpressionNode? = nil) -> ExpressionNode
    where T.RawValue: ColumnValue {
        constant(T.RawValue.columnType, beside: node) { try value?.rawValue.storedValue() ?? .null }
    }

    private static func constant(
        _ type: ColumnType, beside node: ExpressionNode?, _ value: () throws -> StoredValue
    ) -> ExpressionNode {
        do {
            return .constant(try value(), type)
        } catch {
            return .invalid(error, of: node)
        }
    }

    /// The column that is written where this is set: itself, or that of the JSON that it is a value in.
    var settableColumn: ExpressionNode {
        if case .json(let column, _) = self { column } else { self }
    }

    /// A value that SQLite has no form for.
    static func invalid(_ error: any Error, of node: ExpressionNode?) -> ExpressionNode {
        let reason = ColumnEncodingError(error).reason
        return .invalid(node?.settableColumn.columnName.map { "column '\($0)': \(reason)" } ?? reason)
    }
}

extension Column {
    func compare(_ comparison: Comparison, _ value: ExpressionNode) -> Predicate {
        switch (comparison, value) {
        case (_, .invalid): Predicate(value)
        // NULL is equal to NULL, and to nothing else; it is neither less nor greater than anything.
        case (.equal, .constant(.null, _)): Predicate(.isNull(node))
        case (.notEqual, .constant(.null, _)): Predicate(.isNotNull(node))
        default: Predicate(.compare(comparison, node, value))
        }
    }
}
