public import StorageRepo

// The same calls in a transaction or a snapshot: synchronous, and of its state.

extension Query {
    /// The matching entities in a transaction or a snapshot, in order.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetch(in reading: some StorageReading) throws -> [E] {
        try repository.run(found(), in: reading)
    }

    /// The first matching entity in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetchOne(in reading: some StorageReading) throws -> E? {
        try one.fetch(in: reading).first
    }

    /// The entity that comes first by a column in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func first<T>(
        by column: KeyPath<ColumnRef<E>, Column<T>>, _ order: SortOrder = .ascending, in reading: some StorageReading
    ) throws -> E? {
        try inOrder(of: column, order).fetchOne(in: reading)
    }

    /// A page behind a cursor in a transaction or a snapshot.
    ///
    /// - Throws: As ``page(after:limit:)`` does, and once the handle's closure has returned.
    public func page(
        after cursor: PageCursor? = nil, limit: Int = 50, in reading: some StorageReading
    ) throws -> CursorPage<E> {
        try repository.run(foundPage(after: cursor, limit: limit), in: reading)
    }

    /// What the query's search finds in a transaction or a snapshot, each with its rank.
    ///
    /// - Throws: As ``hits(_:)`` does, and once the handle's closure has returned.
    public func hits(_ passage: SearchPassage? = nil, in reading: some StorageReading) throws -> [SearchResult<E>] {
        try repository.run(foundHits(passage), in: reading)
    }

    /// Deletes the matching entities in a transaction.
    ///
    /// - Returns: How many they were.
    /// - Throws: As ``deleteAll()`` does; then nothing was deleted, and the transaction goes on if its closure does.
    @discardableResult
    public func deleteAll(in transaction: StorageTransaction) throws -> Int {
        try repository.run(repository.table.deletion(plan), in: transaction)
    }

    /// Sets columns of the matching entities in a transaction.
    ///
    /// - Returns: How many entities they were.
    /// - Throws: As ``updateAll(isolation:set:)`` does; then nothing was changed, and the transaction goes on if its closure does.
    @discardableResult
    public func updateAll(
        in transaction: StorageTransaction, set assignments: (ColumnRef<E>) -> [ColumnAssignment]
    ) throws -> Int {
        try repository.run(update(assignments), in: transaction)
    }
}

// MARK: - Values of one column

extension Query {
    /// The different values of a column in a transaction or a snapshot, sorted.
    ///
    /// - Throws: As without a transaction, and once the handle's closure has returned.
    public func distinct<T: Sendable>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, in reading: some StorageReading
    ) throws -> [T] {
        try repository.run(distinctValues(column), in: reading)
    }

    /// The different values of a column in a transaction or a snapshot, sorted.
    ///
    /// - Throws: As without a transaction, and once the handle's closure has returned.
    public func distinct<T: Sendable>(
        _ column: KeyPath<ColumnRef<E>, Column<T?>>, in reading: some StorageReading
    ) throws -> [T] {
        try repository.run(distinctValues(column), in: reading)
    }

    /// The least value of a column in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As without a transaction, and once the handle's closure has returned.
    public func min<T: Sendable>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, in reading: some StorageReading
    ) throws -> T? {
        try repository.run(extreme(column, .ascending), in: reading)
    }

    /// The least value of a column in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As without a transaction, and once the handle's closure has returned.
    public func min<T: Sendable>(
        _ column: KeyPath<ColumnRef<E>, Column<T?>>, in reading: some StorageReading
    ) throws -> T? {
        try repository.run(extreme(column, .ascending), in: reading)
    }

    /// The greatest value of a column in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As without a transaction, and once the handle's closure has returned.
    public func max<T: Sendable>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, in reading: some StorageReading
    ) throws -> T? {
        try repository.run(extreme(column, .descending), in: reading)
    }

    /// The greatest value of a column in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As without a transaction, and once the handle's closure has returned.
    public func max<T: Sendable>(
        _ column: KeyPath<ColumnRef<E>, Column<T?>>, in reading: some StorageReading
    ) throws -> T? {
        try repository.run(extreme(column, .descending), in: reading)
    }

    /// The sum of a column in a transaction or a snapshot.
    ///
    /// - Throws: As without a transaction, and once the handle's closure has returned.
    public func sum<T: NumericColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, in reading: some StorageReading
    ) throws -> T {
        try repository.run(total(column, T.self), in: reading)
    }

    /// The sum of a column in a transaction or a snapshot.
    ///
    /// - Throws: As without a transaction, and once the handle's closure has returned.
    @_disfavoredOverload
    public func sum<T: NumericColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<T?>>, in reading: some StorageReading
    ) throws -> T {
        try repository.run(total(column, T.self), in: reading)
    }

    /// The mean of a column in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As without a transaction, and once the handle's closure has returned.
    public func avg<T: SummableColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, in reading: some StorageReading
    ) throws -> T.Number.Mean? {
        try repository.run(mean(column, T.Number.self), in: reading)
    }
}
