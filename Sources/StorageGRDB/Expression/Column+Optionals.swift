extension Column {
    /// The same as a value that may be nil, where one is wanted: for a property of a selection that other queries leave empty.
    ///
    /// ```swift
    /// storage.query(Reminder.self).select { Line.columns(title: $0.title.optional, list: $0.list.title) }
    /// ```
    public var optional: Column<T?> { Column<T?>(node) }
}

/// The value, or another one where it is nil. SQL: `COALESCE("c", ?)`
public func ?? <T: ColumnValue>(lhs: Column<T?>, rhs: T) -> Column<T> {
    Column(.firstNotNull([lhs.node, .value(rhs)]))
}

/// The raw value, or another one where it is nil. SQL: `COALESCE("c", ?)`
@_disfavoredOverload
public func ?? <T: RawRepresentable>(lhs: Column<T?>, rhs: T) -> Column<T> where T.RawValue: ColumnValue {
    Column(.firstNotNull([lhs.node, .value(rhs)]))
}

/// The first value, or the second where it is nil. SQL: `COALESCE("c", "d")`
public func ?? <T>(lhs: Column<T?>, rhs: Column<T>) -> Column<T> {
    Column(.firstNotNull([lhs.node, rhs.node]))
}

/// The first value, or the second where it is nil; nil where both are. SQL: `COALESCE("c", "d")`
public func ?? <T>(lhs: Column<T?>, rhs: Column<T?>) -> Column<T?> {
    Column(.firstNotNull([lhs.node, rhs.node]))
}
