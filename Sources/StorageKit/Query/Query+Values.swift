public import StorageRepo

extension Query {
    /// The different values of a column among the matching entities, sorted by what is stored; NULL is none of them.
    /// SQL: `SELECT DISTINCT "c" FROM ... ORDER BY "c" ASC`
    ///
    /// A limit and an offset leave entities, whose values these are.
    ///
    /// - Parameter column: The column.
    /// - Throws: As ``fetch()`` does.
    public func distinct<T: Sendable>(_ column: KeyPath<ColumnRef<E>, Column<T>>) async throws -> [T] {
        try await repository.run(distinctValues(column))
    }

    /// The different values of a column that may be NULL; NULL is none of them.
    ///
    /// - Parameter column: The column.
    /// - Throws: As ``fetch()`` does.
    public func distinct<T: Sendable>(_ column: KeyPath<ColumnRef<E>, Column<T?>>) async throws -> [T] {
        try await repository.run(distinctValues(column))
    }

    /// The least value of a column among the matching entities, by what is stored; nil if there is none. NULL is no value.
    ///
    /// - Parameter column: The column.
    /// - Throws: As ``fetch()`` does.
    public func min<T: Sendable>(_ column: KeyPath<ColumnRef<E>, Column<T>>) async throws -> T? {
        try await repository.run(extreme(column, .ascending))
    }

    /// The least value of a column that may be NULL; nil if there is none.
    ///
    /// - Parameter column: The column.
    /// - Throws: As ``fetch()`` does.
    public func min<T: Sendable>(_ column: KeyPath<ColumnRef<E>, Column<T?>>) async throws -> T? {
        try await repository.run(extreme(column, .ascending))
    }

    /// The greatest value of a column among the matching entities, by what is stored; nil if there is none. NULL is no value.
    ///
    /// - Parameter column: The column.
    /// - Throws: As ``fetch()`` does.
    public func max<T: Sendable>(_ column: KeyPath<ColumnRef<E>, Column<T>>) async throws -> T? {
        try await repository.run(extreme(column, .descending))
    }

    /// The greatest value of a column that may be NULL; nil if there is none.
    ///
    /// - Parameter column: The column.
    /// - Throws: As ``fetch()`` does.
    public func max<T: Sendable>(_ column: KeyPath<ColumnRef<E>, Column<T?>>) async throws -> T? {
        try await repository.run(extreme(column, .descending))
    }
}

// MARK: - Sums and means

extension Query {
    /// The sum of a column over the matching entities; 0 if there are none. Integers are exact, decimals as
    /// far as 38 digits go.
    ///
    /// - Parameter column: The column.
    /// - Throws: As ``fetch()`` does, and ``StorageError/queryFailed(sql:underlying:)`` if the sum is beyond the
    ///   type's range; of `Double` and `Float` it is infinite then.
    public func sum<T: NumericColumnValue>(_ column: KeyPath<ColumnRef<E>, Column<T>>) async throws -> T {
        try await repository.run(total(column, T.self))
    }

    /// The sum of a column that may be NULL, which counts as nothing.
    ///
    /// - Parameter column: The column.
    /// - Throws: As ``fetch()`` does, and ``StorageError/queryFailed(sql:underlying:)`` if the sum is beyond the
    ///   type's range; of `Double` and `Float` it is infinite then.
    @_disfavoredOverload
    public func sum<T: NumericColumnValue>(_ column: KeyPath<ColumnRef<E>, Column<T?>>) async throws -> T {
        try await repository.run(total(column, T.self))
    }

    /// The mean of a column over the matching entities; nil if there are none. NULL does not count.
    ///
    /// - Parameter column: The column.
    /// - Returns: A `Decimal` for a decimal column, a `Double` for all others.
    /// - Throws: As ``fetch()`` does, and ``StorageError/queryFailed(sql:underlying:)`` if the sum of decimals is beyond
    ///   their range.
    public func avg<T: SummableColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>
    ) async throws -> T.Number.Mean? {
        try await repository.run(mean(column, T.Number.self))
    }

    func total<C, T: NumericColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<C>>, _ type: T.Type
    ) throws -> TableRead<T> {
        let (plan, column) = with(column)
        return try repository.table.reduce(
            plan.valuesSQL(column.node), ofColumn: column.node.columnName, into: { T._emptySum }
        ) { sum, row in
            T._add(try row.next(), to: &sum)
        }.map { sum in
            guard let value = T._total(sum) else { throw Query.isBeyondRange(column.node, T.self) }
            return value
        }
    }

    func mean<C, T: NumericColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<C>>, _ type: T.Type
    ) throws -> TableRead<T.Mean?> {
        let (plan, column) = with(column)
        return try repository.table.reduce(
            plan.valuesSQL(column.node), ofColumn: column.node.columnName, into: { (T._emptySum, 0) }
        ) { result, row in
            T._add(try row.next(), to: &result.0)
            result.1 += 1
        }.map { sum, count in
            guard count > 0 else { return nil }
            guard let mean = T._mean(sum, of: count) else { throw Query.isBeyondRange(column.node, T.self) }
            return mean
        }
    }

    private static func isBeyondRange<T>(_ expression: ExpressionNode, _ type: T.Type) -> StorageError {
        let name = expression.columnName.map { "'\($0)'" } ?? "an expression"
        return .invalidQuery("the sum of \(name) is beyond the range of \(type)")
    }
}

// MARK: - Reads

extension Query {
    /// - Returns: Values of `T`, where the column has those or optional ones.
    func distinctValues<C, T: Sendable>(_ column: KeyPath<ColumnRef<E>, Column<C>>) throws -> TableRead<[T]> {
        let (plan, column) = with(column)
        return try repository.table.values(
            plan.distinctSQL(column.node), ofColumn: column.node.columnName,
            reading: Column<T>(column.node)._selected.read)
    }

    /// - Returns: A value of `T`, where the column has those or optional ones.
    func extreme<C, T: Sendable>(
        _ column: KeyPath<ColumnRef<E>, Column<C>>, _ order: SortOrder
    ) throws -> TableRead<T?> {
        let (plan, column) = with(column)
        let values = try repository.table.values(
            plan.extremeSQL(column.node, order), ofColumn: column.node.columnName,
            reading: Column<T>(column.node)._selected.read)
        return values.map(\.first)
    }
}
