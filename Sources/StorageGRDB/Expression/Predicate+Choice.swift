extension Column where T: ConditionValue {
    /// One value where the condition holds, and another where it does not; nil is false. SQL: `CASE WHEN a THEN ? ELSE ? END`
    ///
    /// - Parameters:
    ///   - value: The value where it holds.
    ///   - other: The value where it does not.
    public func then<V: ColumnValue>(_ value: V, else other: V) -> Column<V> {
        choose(.value(value), .value(other))
    }

    /// One value where the condition holds, and another where it does not.
    ///
    /// - Parameters:
    ///   - value: The value where it holds.
    ///   - other: The value where it does not.
    public func then<V: ColumnValue>(_ value: V, else other: Column<V>) -> Column<V> {
        choose(.value(value), other.node)
    }

    /// One value where the condition holds, and another where it does not.
    ///
    /// - Parameters:
    ///   - value: The value where it holds.
    ///   - other: The value where it does not.
    public func then<V: ColumnValue>(_ value: Column<V>, else other: V) -> Column<V> {
        choose(value.node, .value(other))
    }

    /// One value where the condition holds, and another where it does not. SQL: `CASE WHEN a THEN "c" ELSE "d" END`
    ///
    /// - Parameters:
    ///   - value: The value where it holds.
    ///   - other: The value where it does not.
    public func then<V>(_ value: Column<V>, else other: Column<V>) -> Column<V> {
        choose(value.node, other.node)
    }

    private func choose<V>(_ value: ExpressionNode, _ other: ExpressionNode) -> Column<V> {
        Column<V>(.choice([Choice(node, value)], otherwise: other))
    }
}

// MARK: - Raw values

extension Column where T: ConditionValue {
    /// One raw value where the condition holds, and another where it does not.
    ///
    /// - Parameters:
    ///   - value: The value where it holds.
    ///   - other: The value where it does not.
    @_disfavoredOverload
    public func then<V: RawRepresentable>(_ value: V, else other: V) -> Column<V> where V.RawValue: ColumnValue {
        choose(.value(value), .value(other))
    }

    /// One raw value where the condition holds, and another where it does not.
    ///
    /// - Parameters:
    ///   - value: The value where it holds.
    ///   - other: The value where it does not.
    @_disfavoredOverload
    public func then<V: RawRepresentable>(_ value: V, else other: Column<V>) -> Column<V>
    where V.RawValue: ColumnValue {
        choose(.value(value), other.node)
    }

    /// One raw value where the condition holds, and another where it does not.
    ///
    /// - Parameters:
    ///   - value: The value where it holds.
    ///   - other: The value where it does not.
    @_disfavoredOverload
    public func then<V: RawRepresentable>(_ value: Column<V>, else other: V) -> Column<V>
    where V.RawValue: ColumnValue {
        choose(value.node, .value(other))
    }
}
