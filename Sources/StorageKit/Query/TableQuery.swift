/// A question to the rows of one table or several, in closures that are given what stands for a row: a ``Query``, a ``SelectedQuery``, a
/// ``JoinedQuery``.
///
/// Conformed to by StorageKit's types.
public protocol TableQuery: ClosureQuery {
    /// What the closures of groups are given: the rows of a group, of each table.
    associatedtype Grouped

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
        changingRemaining { plan in plan.add(made(in: &plan) { predicate($0).predicate.node }) }
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
}
