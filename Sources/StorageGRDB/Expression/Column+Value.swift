extension ExpressionNode {
    /// A value in the form of a column of its type; where SQLite has no form for it, the query throws when it runs.
    ///
    /// The form is looked up as the program runs, so that values, raw values and those that may be nil need no function each.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - node: What it stands beside, which is then named.
    static func value<T>(_ value: T, beside node: ExpressionNode? = nil) -> ExpressionNode {
        values([value], beside: node) { .constant($0[0], $1) }
    }

    /// - Parameter make: Makes the expression of the values and the type that they are stored as.
    static func values<T>(
        _ values: some Sequence<T>, beside node: ExpressionNode?, _ make: ([StoredValue], ColumnType) -> ExpressionNode
    ) -> ExpressionNode {
        guard let coder = LeafCoder.ofColumn(T.self) else { return .invalid("\(T.self) is no type of a column") }
        var row = RowWriter()
        do {
            return make(try values.map { try coder.storedValue($0, in: &row) }, coder.storage.type)
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
