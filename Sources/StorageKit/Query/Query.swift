public import StorageRepo

/// A question to one table, put together step by step and asked by ``fetch()``, ``fetchOne()``, ``count()`` or
/// ``deleteAll()``. A query is a value: each step returns a new one.
///
/// ```swift
/// let page = try await storage.query(User.self)
///     .where { $0.age >= 18 }
///     .orderBy("lastName").orderBy("firstName")
///     .limit(20).offset(40)
///     .fetch()
/// ```
public struct Query<E: RegisteredEntity>: Sendable {
    private let repository: GenericRepository<E, E.Record>
    private var plan = QueryPlan()

    init(repository: GenericRepository<E, E.Record>) {
        self.repository = repository
    }

    /// Keeps the rows that meet a condition, and all conditions added before.
    ///
    /// - Parameter predicate: Builds the condition from the entity's columns.
    public func `where`(_ predicate: (ColumnRef<E>) -> Predicate) -> Query<E> {
        adding { $0.add(predicate(ColumnRef())) }
    }

    /// Keeps the rows where a Bool column is true.
    ///
    /// - Parameter column: Names the column: `{ $0.isActive }`.
    public func `where`(_ column: (ColumnRef<E>) -> Column<Bool>) -> Query<E> {
        adding { $0.add(column(ColumnRef()).predicate) }
    }

    /// Keeps the rows that meet a condition on columns named by hand.
    ///
    /// ```swift
    /// storage.query(User.self).where { Column<String>("home_city") == "Kyiv" }
    /// ```
    ///
    /// - Parameter predicate: Builds the condition. The query throws if there is no such column.
    public func `where`(_ predicate: () -> Predicate) -> Query<E> {
        adding { $0.add(predicate()) }
    }

    /// Sorts by a column, after those named before.
    ///
    /// - Parameters:
    ///   - column: The name of the column; the query throws if there is no such column.
    ///   - order: The direction.
    public func orderBy(_ column: String, _ order: SortOrder = .ascending) -> Query<E> {
        adding { $0.sort(by: column, order) }
    }

    /// Returns at most so many rows.
    ///
    /// - Parameter n: The number; the query throws if it is negative.
    public func limit(_ n: Int) -> Query<E> {
        adding { $0.limit = n }
    }

    /// Passes over the first rows. It works without ``limit(_:)`` too.
    ///
    /// - Parameter n: The number; the query throws if it is negative.
    public func offset(_ n: Int) -> Query<E> {
        adding { $0.offset = n }
    }

    private func adding(_ change: (inout QueryPlan) -> Void) -> Query<E> {
        var query = self
        change(&query.plan)
        return query
    }
}

// MARK: - Asking

extension Query {
    /// The matching entities, in order.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for an unknown column, a negative limit or offset,
    ///   or an error of SQLite; ``StorageError/entityDecodingFailed(type:underlying:)`` for a broken row.
    public func fetch() async throws -> [E] {
        try await repository.fetch(plan)
    }

    /// The first matching entity, or nil. SQLite reads no further than that row.
    ///
    /// - Throws: As ``fetch()`` does.
    public func fetchOne() async throws -> E? {
        try await limit(min(plan.limit ?? 1, 1)).fetch().first
    }

    /// How many entities match, without fetching them. A limit and an offset count.
    ///
    /// - Throws: As ``fetch()`` does.
    public func count() async throws -> Int {
        try await repository.count(plan)
    }

    /// Deletes the matching entities. A limit and an offset count.
    ///
    /// - Returns: How many they were.
    /// - Throws: As ``fetch()`` does; then nothing was deleted.
    @discardableResult
    public func deleteAll() async throws -> Int {
        try await repository.deleteAll(plan)
    }
}
