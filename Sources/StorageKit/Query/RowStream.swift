public import StorageRepo

/// The rows of a query, fetched little by little: what `stream()` of a ``Query`` and of a ``RowQuery`` returns.
public struct RowStream<Row: Sendable>: AsyncSequence, Sendable {
    /// A row, or an entity.
    public typealias Element = Row

    let walk: @Sendable () -> RowWalk<Row>

    /// Begins at the first row.
    public func makeAsyncIterator() -> RowWalk<Row> { walk() }
}
