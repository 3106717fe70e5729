/// A question to the rows of one table or several, in closures that are given what stands for a row: a ``Query``, a ``SelectedQuery``, a
/// ``JoinedQuery``.
///
/// Conformed to by StorageKit's types.
public protocol TableQuery: PlannedQuery {
    /// What the closures are given: the columns of a row, or of one of each table.
    associatedtype Given
    /// What the closures of groups are given: the rows of a group, of each table.
    associatedtype Grouped

    /// What stands for a row.
    static func _given(_ places: [ColumnPlace]) -> Given
    /// What stands for the rows of a group.
    static func _grouped(_ places: [ColumnPlace]) -> Grouped
}

extension TableQuery {
    /// Keeps the rows that meet a condition, and all conditions added before. After a limit or an offset it asks the rows that
    /// those leave.
    ///
    /// ```swift
    /// storage.query(User.self).where { $0.age >= 18 && $0.name != nil }
    /// // SELECT ... FROM "users" WHERE ("age" >= ?) AND ("name" IS NOT NULL)
    /// ```
    ///
    /// - Parameter predicate: Builds the condition from the columns; nil is false.
    public func `where`(_ predicate: (Given) -> any PredicateConvertible) -> Self {
        changingLeft { $0.add(predicate(Self.given(&$0)).predicate.node) }
    }

    /// Sorts by an expression, after those named before.
    ///
    /// ```swift
    /// storage.query(User.self).orderBy({ $0.weight / $0.height }, .descending)
    /// // ORDER BY "weight" / "height" DESC
    /// ```
    ///
    /// - Parameters:
    ///   - expression: Builds the expression.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand; nil leaves them first when ascending and last when descending.
    public func orderBy<T>(
        _ expression: (Given) -> Column<T>, _ order: SortOrder = .ascending, nulls: NullsOrder? = nil
    ) -> Self {
        changing { $0.sort(by: expression(Self.given(&$0)).node, order, nulls: nulls) }
    }

    /// Sorts by a column, after those named before. The compiler checks the name.
    ///
    /// ```swift
    /// storage.query(User.self).orderBy(\.lastName).orderBy(\.age, .descending, nulls: .last)
    /// // ORDER BY "lastName" ASC, "age" DESC NULLS LAST
    /// ```
    ///
    /// - Parameters:
    ///   - column: The column: `\.name`, `\.address.city`.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand; nil leaves them first when ascending and last when descending.
    public func orderBy<R, T>(
        _ column: KeyPath<ColumnRef<R>, Column<T>>, _ order: SortOrder = .ascending, nulls: NullsOrder? = nil
    ) -> Self where Given == ColumnRef<R> {
        orderBy({ $0[keyPath: column] }, order, nulls: nulls)
    }

    /// What the closure that builds the next part of a plan is given.
    static func given(_ plan: inout QueryPlan) -> Given {
        _given(plan.newSources().map(ColumnPlace.init))
    }
}
