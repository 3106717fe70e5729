// Least and greatest of two values: as Swift's `min` and `max`, and nil where one is nil.

/// The least of two values; nil where one is nil. SQL: `MIN("c", "d")`
public func min<T>(_ first: Column<T>, _ second: Column<T>) -> Column<T> {
    Column<T>(.call(.leastOfTwo, [first.node, second.node]))
}

/// The least of two values; nil where one is nil. SQL: `MIN("c", ?)`
public func min<T: ColumnValue>(_ first: Column<T>, _ second: T) -> Column<T> {
    Column<T>(.call(.leastOfTwo, [first.node, .value(second)]))
}

/// The least of two values; nil where one is nil. SQL: `MIN(?, "c")`
public func min<T: ColumnValue>(_ first: T, _ second: Column<T>) -> Column<T> {
    Column<T>(.call(.leastOfTwo, [.value(first), second.node]))
}

/// The greatest of two values; nil where one is nil. SQL: `MAX("c", "d")`
public func max<T>(_ first: Column<T>, _ second: Column<T>) -> Column<T> {
    Column<T>(.call(.greatestOfTwo, [first.node, second.node]))
}

/// The greatest of two values; nil where one is nil. SQL: `MAX("c", ?)`
public func max<T: ColumnValue>(_ first: Column<T>, _ second: T) -> Column<T> {
    Column<T>(.call(.greatestOfTwo, [first.node, .value(second)]))
}

/// The greatest of two values; nil where one is nil. SQL: `MAX(?, "c")`
public func max<T: ColumnValue>(_ first: T, _ second: Column<T>) -> Column<T> {
    Column<T>(.call(.greatestOfTwo, [.value(first), second.node]))
}

/// The least of two values; nil where one is nil. SQL: `MIN("c", "d")`
public func min<T>(_ first: Column<T>, _ second: Column<T?>) -> Column<T?> {
    Column<T?>(.call(.leastOfTwo, [first.node, second.node]))
}

/// The least of two values; nil where one is nil. SQL: `MIN("c", "d")`
public func min<T>(_ first: Column<T?>, _ second: Column<T>) -> Column<T?> {
    Column<T?>(.call(.leastOfTwo, [first.node, second.node]))
}

/// The greatest of two values; nil where one is nil. SQL: `MAX("c", "d")`
public func max<T>(_ first: Column<T>, _ second: Column<T?>) -> Column<T?> {
    Column<T?>(.call(.greatestOfTwo, [first.node, second.node]))
}

/// The greatest of two values; nil where one is nil. SQL: `MAX("c", "d")`
public func max<T>(_ first: Column<T?>, _ second: Column<T>) -> Column<T?> {
    Column<T?>(.call(.greatestOfTwo, [first.node, second.node]))
}

// MARK: - Raw values, which may be missing

// Beside those above, and disfavoured: a column of a record written by hand takes any type. In `min($0.a, $0.b)` it could otherwise
// be read as a column whose value is the other column.

/// The least of two values, by what is stored; nil where one is nil. SQL: `MIN("c", ?)`
@_disfavoredOverload
public func min<T>(_ first: Column<T>, _ second: T) -> Column<T> {
    Column<T>(.call(.leastOfTwo, [first.node, .value(second)]))
}

/// The least of two values, by what is stored; nil where one is nil. SQL: `MIN(?, "c")`
@_disfavoredOverload
public func min<T>(_ first: T, _ second: Column<T>) -> Column<T> {
    Column<T>(.call(.leastOfTwo, [.value(first), second.node]))
}

/// The greatest of two values, by what is stored; nil where one is nil. SQL: `MAX("c", ?)`
@_disfavoredOverload
public func max<T>(_ first: Column<T>, _ second: T) -> Column<T> {
    Column<T>(.call(.greatestOfTwo, [first.node, .value(second)]))
}

/// The greatest of two values, by what is stored; nil where one is nil. SQL: `MAX(?, "c")`
@_disfavoredOverload
public func max<T>(_ first: T, _ second: Column<T>) -> Column<T> {
    Column<T>(.call(.greatestOfTwo, [.value(first), second.node]))
}
