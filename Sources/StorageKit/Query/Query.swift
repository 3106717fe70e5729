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
public struct Query<E: RegisteredEntity>: Sendable, PlannedQuery {
    package let repository: GenericRepository<E, E.Record>
    package var plan: QueryPlan
    /// The relations that are filled in the entities.
    package var loaded = LoadedPaths()

    init(repository: GenericRepository<E, E.Record>) {
        self.repository = repository
        plan = repository.table.plan
    }

    /// Keeps the rows that meet a condition, and all conditions added before. After a limit or an offset it asks the rows that
    /// those leave.
    ///
    /// - Parameter predicate: Builds the condition from the entity's columns; nil is false.
    public func `where`(_ predicate: (ColumnRef<E>) -> any PredicateConvertible) -> Query<E> {
        filtered { predicate(ColumnRef($0.newSource())).predicate.node }
    }

    /// Keeps the rows that meet a condition on columns named by hand.
    ///
    /// ```swift
    /// storage.query(User.self).where { Column<String>("home_city") == "Kyiv" }
    /// ```
    ///
    /// - Parameter predicate: Builds the condition. The query throws if there is no such column.
    @_disfavoredOverload
    public func `where`(_ predicate: () -> any PredicateConvertible) -> Query<E> {
        filtered { _ in predicate().predicate.node }
    }

    /// Sorts by a column, after those named before.
    ///
    /// - Parameters:
    ///   - column: The name of the column; the query throws if there is no such column.
    ///   - order: The direction.
    public func orderBy(_ column: String, _ order: SortOrder = .ascending) -> Query<E> {
        changing { $0.sort(by: column, order) }
    }

    /// Sorts by a column, after those named before.
    ///
    /// - Parameters:
    ///   - column: The name of the column; the query throws if there is no such column.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand, whatever the direction.
    public func orderBy(_ column: String, _ order: SortOrder = .ascending, nulls: NullsOrder) -> Query<E> {
        changing { $0.sort(by: column, order, nulls: nulls) }
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
    public func orderBy<T>(
        _ column: KeyPath<ColumnRef<E>, Column<T>>, _ order: SortOrder = .ascending, nulls: NullsOrder? = nil
    ) -> Query<E> {
        orderBy({ $0[keyPath: column] }, order, nulls: nulls)
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
        _ expression: (ColumnRef<E>) -> Column<T>, _ order: SortOrder = .ascending, nulls: NullsOrder? = nil
    ) -> Query<E> {
        changing { $0.sort(by: expression(ColumnRef($0.newSource())).node, order, nulls: nulls) }
    }

    /// Returns at most so many rows.
    ///
    /// A condition or a search that follows asks of the rows that are left. An order that follows is the query's all the same, and
    /// says which rows are left; of several limits the last one counts.
    ///
    /// - Parameter n: The number; the query throws if it is negative.
    public func limit(_ n: Int) -> Query<E> {
        changing { $0.limit = n }
    }

    /// Passes over the first rows. It works without ``limit(_:)`` too.
    ///
    /// - Parameter n: The number; the query throws if it is negative.
    public func offset(_ n: Int) -> Query<E> {
        changing { $0.offset = n }
    }

    /// The SQL that ``fetch()`` runs, for tests.
    package var sql: LoweredQuery {
        get throws { try repository.sql(plan) }
    }

    /// The first of the matching entities.
    var one: Query<E> { limit(Swift.min(plan.limit ?? 1, 1)) }

    /// The rows that are left, in the order of one column.
    func sorted<T>(by column: KeyPath<ColumnRef<E>, Column<T>>, _ order: SortOrder) -> Query<E> {
        changingLeft { $0.order = [] }.orderBy(column, order)
    }

    /// The query, with a column that stands for one of its rows'.
    func with<T>(_ column: KeyPath<ColumnRef<E>, Column<T>>) -> (plan: QueryPlan, column: Column<T>) {
        var plan = plan
        let row = ColumnRef<E>(plan.newSource())
        return (plan, row[keyPath: column])
    }
}

// MARK: - Asking

extension Query {
    /// The matching entities, in order.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for an unknown column, a negative limit or offset,
    ///   or an error of SQLite; ``StorageError/entityDecodingFailed(type:underlying:)`` for a broken row.
    public func fetch() async throws -> [E] {
        try await repository.run(found())
    }

    /// The first matching entity, or nil. SQLite reads no further than that row.
    ///
    /// - Throws: As ``fetch()`` does.
    public func fetchOne() async throws -> E? {
        try await one.fetch().first
    }

    /// The entity that comes first by a column, whatever order was asked for before; nil if none matches. After a limit or an
    /// offset it is one of those that they leave.
    ///
    /// ```swift
    /// let youngest = try await storage.query(User.self).first(by: \.birthday, .descending)
    /// ```
    ///
    /// - Parameters:
    ///   - column: The column to sort by.
    ///   - order: The direction.
    /// - Throws: As ``fetch()`` does.
    public func first<T>(
        by column: KeyPath<ColumnRef<E>, Column<T>>, _ order: SortOrder = .ascending
    ) async throws -> E? {
        try await sorted(by: column, order).fetchOne()
    }

    /// Whether any entity matches. SQLite reads no further than the first.
    ///
    /// - Throws: As ``fetch()`` does.
    public func exists() async throws -> Bool {
        try await repository.run(repository.table.exists(plan))
    }

    /// How many entities match, without fetching them. A limit and an offset count.
    ///
    /// - Throws: As ``fetch()`` does.
    public func count() async throws -> Int {
        try await repository.run(repository.table.count(plan))
    }

    /// Deletes the matching entities. A limit and an offset count.
    ///
    /// - Returns: How many they were.
    /// - Throws: As ``fetch()`` does; then nothing was deleted.
    @discardableResult
    public func deleteAll() async throws -> Int {
        try await repository.run(repository.table.deletion(plan))
    }

    /// Sets columns of the matching entities, without fetching them. A limit and an offset count.
    ///
    /// The `updatedAt` that a save stamps becomes the time of the call. One that the entity declares itself stays as it is.
    /// A ``StorageVersion()`` is counted up.
    ///
    /// ```swift
    /// let query = storage.query(User.self).where { $0.lastSeen < limit }
    /// try await query.updateAll { [$0.isActive.set(to: false), $0.note.set(to: nil)] }
    /// // UPDATE "users" SET "isActive" = ?, "note" = ?, "updatedAt" = ? WHERE "lastSeen" < ?
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The caller's actor, on which the closure runs.
    ///   - assignments: The columns and their new values.
    /// - Returns: How many entities they were.
    /// - Throws: As ``fetch()`` does, and for the id, the version, a column set twice, or a value that the column cannot take; then
    ///   nothing was changed.
    @discardableResult
    public func updateAll(
        isolation: isolated (any Actor)? = #isolation, set assignments: (ColumnRef<E>) -> [ColumnAssignment]
    ) async throws -> Int {
        try await repository.run(update(assignments))
    }

    func update(_ assignments: (ColumnRef<E>) -> [ColumnAssignment]) throws -> TableWrite<Int> {
        var plan = plan
        let assignments = assignments(ColumnRef(plan.newSource()))
        return try repository.updateAll(plan, set: assignments)
    }
}
