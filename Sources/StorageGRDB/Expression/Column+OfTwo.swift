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
