// The same with a condition that may be nil, of which nil is false. The compiler takes these only where the others do not fit.

extension RowSet {
    /// In how many rows that meet a condition a column is not nil.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func count<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<Int> {
        withoutActuallyEscaping(condition) { condition in count(column, where: { condition($0).predicate }) }
    }

    /// In how many rows that meet a condition an expression is not nil.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func count<T>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<Int> {
        withoutActuallyEscaping(condition) { condition in count(of: expression, where: { condition($0).predicate }) }
    }

    /// How many different values a column has in the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func count<T>(
        distinct column: KeyPath<ColumnRef<E>, Column<T>>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<Int> {
        withoutActuallyEscaping(condition) { condition in count(distinct: column, where: { condition($0).predicate }) }
    }

    /// How many different values an expression has in the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func count<T>(
        distinct expression: (ColumnRef<E>) -> Column<T>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<Int> {
        withoutActuallyEscaping(condition) { condition in
            count(distinct: expression, where: { condition($0).predicate })
        }
    }

    /// The sum of a column over the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func sum<T: SummableColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T.Number> {
        withoutActuallyEscaping(condition) { condition in sum(column, where: { condition($0).predicate }) }
    }

    /// The sum of an expression over the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func sum<T: SummableColumnValue>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T.Number> {
        withoutActuallyEscaping(condition) { condition in sum(of: expression, where: { condition($0).predicate }) }
    }

    /// The mean of a column over the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func avg<T: SummableColumnValue>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T.Number.Mean?> {
        withoutActuallyEscaping(condition) { condition in avg(column, where: { condition($0).predicate }) }
    }

    /// The mean of an expression over the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func avg<T: SummableColumnValue>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T.Number.Mean?> {
        withoutActuallyEscaping(condition) { condition in avg(of: expression, where: { condition($0).predicate }) }
    }
}

// MARK: - Extremes

extension RowSet {
    /// The least value of a column that may be nil, of the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func min<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T?>>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T?> {
        withoutActuallyEscaping(condition) { condition in min(column, where: { condition($0).predicate }) }
    }

    /// The least value of an expression that may be nil, of the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func min<T>(
        of expression: (ColumnRef<E>) -> Column<T?>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T?> {
        withoutActuallyEscaping(condition) { condition in min(of: expression, where: { condition($0).predicate }) }
    }

    /// The least value of a column of the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func min<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T?> {
        withoutActuallyEscaping(condition) { condition in min(column, where: { condition($0).predicate }) }
    }

    /// The least value of an expression of the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func min<T>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T?> {
        withoutActuallyEscaping(condition) { condition in min(of: expression, where: { condition($0).predicate }) }
    }

    /// The greatest value of a column that may be nil, of the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func max<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T?>>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T?> {
        withoutActuallyEscaping(condition) { condition in max(column, where: { condition($0).predicate }) }
    }

    /// The greatest value of an expression that may be nil, of the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func max<T>(
        of expression: (ColumnRef<E>) -> Column<T?>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T?> {
        withoutActuallyEscaping(condition) { condition in max(of: expression, where: { condition($0).predicate }) }
    }

    /// The greatest value of a column of the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func max<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T?> {
        withoutActuallyEscaping(condition) { condition in max(column, where: { condition($0).predicate }) }
    }

    /// The greatest value of an expression of the rows that meet a condition.
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - condition: Which rows count; nil is false.
    @_disfavoredOverload
    public func max<T>(
        of expression: (ColumnRef<E>) -> Column<T>, where condition: (ColumnRef<E>) -> Column<Bool?>
    ) -> Column<T?> {
        withoutActuallyEscaping(condition) { condition in max(of: expression, where: { condition($0).predicate }) }
    }
}
