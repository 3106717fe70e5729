public import StorageRepo

/// A question to one table, put together step by step and asked by ``fetch()``, ``fetchOne()``, ``PlannedQuery/count()`` or
/// ``deleteAll()``. A query is a value: each step returns a new one.
///
/// ```swift
/// let page = try await storage.query(User.self)
///     .where { $0.age >= 18 }
///     .orderBy("lastName").orderBy("firstName")
///     .limit(20).offset(40)
///     .fetch()
/// ```
public struct Query<E: RegisteredEntity>: TableQuery {
    /// What is asked so far, and of which store.
    public var _question: _Question<E>

    init(repository: GenericRepository<E, E.Record>) {
        _question = _Question(repository, repository.table.plan)
    }

    /// What stands for a row.
    public func _given(_ places: [ColumnPlace]) -> ColumnRef<E> { ._row(places[0]) }

    /// What stands for the rows of a group.
    public static func _grouped(_ places: [ColumnPlace]) -> Rows<E> { ColumnRef._rows(places[0]) }

    /// Keeps the rows that meet a condition on columns named by hand.
    ///
    /// ```swift
    /// storage.query(User.self).where { Column<String>("home_city") == "Kyiv" }
    /// ```
    ///
    /// - Parameter predicate: Builds the condition. The query throws if there is no such column.
    @_disfavoredOverload
    public func `where`(_ predicate: () -> any PredicateConvertible) -> Query<E> {
        changingRemaining { $0.add(predicate().predicate.node) }
    }

    /// Sorts by a column, after those named before.
    ///
    /// - Parameters:
    ///   - column: The name of the column; the query throws if there is no such column.
    ///   - order: The direction.
    ///   - nulls: Where NULLs stand; nil leaves them first when ascending and last when descending.
    public func orderBy(_ column: String, _ order: SortOrder = .ascending, nulls: NullsOrder? = nil) -> Query<E> {
        changing { $0.sort(by: column, order, nulls: nulls) }
    }

    /// The SQL that ``fetch()`` runs, for tests.
    package var sql: LoweredQuery {
        get throws { try plan.selectSQL() }
    }

    /// The relations that are filled in the entities.
    var loaded: LoadedPaths { _question.loaded }

    /// The rows that are left, in the order of one column.
    func inOrder<T>(of column: KeyPath<ColumnRef<E>, Column<T>>, _ order: SortOrder) -> Query<E> {
        changingRemaining { $0.order = [] }.orderBy(column, order)
    }

    /// The query, with a column that stands for one of its rows'.
    func with<T>(_ column: KeyPath<ColumnRef<E>, Column<T>>) -> (plan: QueryPlan, column: Column<T>) {
        var plan = plan
        let row = given(&plan)
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
        try await inOrder(of: column, order).fetchOne()
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
        let assignments = assignments(given(&plan))
        return try repository.updateAll(plan, set: assignments)
    }
}
